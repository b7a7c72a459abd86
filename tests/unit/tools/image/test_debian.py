from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.image.debian import BuildError, succeeded, why_no_debian


def test_succeeded_returns_what_a_command_prints(tmp_path: Path) -> None:
    assert succeeded(["sh", "-c", "echo $LEVEL; pwd"], {"LEVEL": "2"}, tmp_path) == f"2\n{tmp_path}\n"


def test_a_command_that_fails_is_told_with_the_end_of_what_it_said() -> None:
    said = "\n".join(f"line {number}" for number in range(6, 26))
    with pytest.raises(BuildError) as caught:
        succeeded(["sh", "-c", "for n in $(seq 1 25); do echo line $n >&2; done; exit 3"])
    assert str(caught.value) == f"sh ended with code 3:\n{said}"


def test_a_command_that_is_not_there_is_named() -> None:
    with pytest.raises(BuildError, match=r"^/not/there: No such file or directory$"):
        succeeded(["/not/there"])


def test_a_machine_without_apt_is_told_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("wget", "perl"):
        (tmp_path / name).touch(mode=0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert why_no_debian() == "debootstrap needs apt-get, dpkg-deb"
    (tmp_path / "debootstrap").touch(mode=0o755)
    assert why_no_debian() is None
    monkeypatch.setenv("PATH", os.devnull)
    assert why_no_debian() == "debootstrap needs wget, perl, apt-get, dpkg-deb"
