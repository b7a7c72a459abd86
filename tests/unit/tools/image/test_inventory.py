from __future__ import annotations

from pathlib import Path

from tools.image.inventory import parts_of

FILES = {
    "usr/local/bin/helm": 50,
    "usr/bin/python3.13": 10,
    "usr/lib/python3.13/os.py": 5,
    "usr/local/lib/python3.13/dist-packages/large/code.py": 3_000_000,
    "usr/local/lib/python3.13/dist-packages/small/code.py": 2,
    "usr/local/lib/python3.13/dist-packages/small-1.0.dist-info/METADATA": 1,
    "usr/local/lib/python3.13/dist-packages/catalogd/main.py": 7,
    "usr/lib/x86_64-linux-gnu/libc.so.6": 4,
    "etc/passwd": 1,
}


def test_parts_are_named_and_together_they_are_everything(tmp_path: Path) -> None:
    for name, size in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"x" * size)
    (tmp_path / "link").symlink_to("etc/passwd")
    assert list(parts_of(tmp_path).items()) == [
        ("library large", 3_000_000),
        ("helm", 50),
        ("Python", 15),
        ("this project", 7),
        ("shared objects of Debian", 4),
        ("other libraries", 3),
        ("certificates, licences, names", 1),
    ]
