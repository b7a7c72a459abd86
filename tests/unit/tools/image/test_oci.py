from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from tools.image.containerfile import Config
from tools.image.oci import write_archive

CONFIG = Config({"PATH": "/bin", "A": "b"}, {"c": "d"}, "1:2", ("run", "it"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    (root / "bin").mkdir(parents=True)
    (root / "bin/run").write_text("it")
    (root / "bin/run").chmod(0o755)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    (root / "sbin").symlink_to("bin")
    return root


class Opened:
    """What an archive holds; every blob has the size and the digest under which it is found."""

    def __init__(self, path: Path) -> None:
        with tarfile.open(path) as archive:
            self._files = {item.name: read(archive, item) for item in archive.getmembers()}
        (described,) = json.loads(self._files["index.json"])["manifests"]
        self.digest = described["digest"]
        self.manifest = json.loads(self._blob(described))
        self.config = json.loads(self._blob(self.manifest["config"]))
        (layer,) = self.manifest["layers"]
        self.layer = gzip.decompress(self._blob(layer))

    def _blob(self, described: dict[str, Any]) -> bytes:
        content = self._files[f"blobs/{described['digest'].replace(':', '/')}"]
        assert (len(content), f"sha256:{hashlib.sha256(content).hexdigest()}") == (
            described["size"],
            described["digest"],
        )
        return content


def read(archive: tarfile.TarFile, item: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(item)
    assert file is not None
    return file.read()


def test_an_archive_says_what_a_container_is_started_with(root: Path, tmp_path: Path) -> None:
    digest = write_archive(root, CONFIG, tmp_path / "image.tar")
    opened = Opened(tmp_path / "image.tar")
    assert digest == opened.digest
    started = {"User": "1:2", "Env": ["A=b", "PATH=/bin"], "Cmd": ["run", "it"], "Labels": {"c": "d"}}
    assert opened.config["config"] == started
    assert opened.config["rootfs"]["diff_ids"] == [f"sha256:{hashlib.sha256(opened.layer).hexdigest()}"]


def test_the_layer_holds_the_root_with_its_modes_and_links_and_nobody_elses_name(root: Path, tmp_path: Path) -> None:
    write_archive(root, CONFIG, tmp_path / "image.tar")
    with tarfile.open(fileobj=io.BytesIO(Opened(tmp_path / "image.tar").layer)) as layer:
        found = {item.name: (item.mode, item.linkname, item.uid, item.uname, item.mtime) for item in layer.getmembers()}
    assert found == {
        "bin": (root.joinpath("bin").stat().st_mode & 0o7777, "", 0, "", 0),
        "bin/run": (0o755, "", 0, "", 0),
        "sbin": (0o777, "bin", 0, "", 0),
        "tmp": (0o1777, "", 0, "", 0),
    }


def test_the_same_root_gives_the_same_bytes_and_leaves_nothing_beside_them(root: Path, tmp_path: Path) -> None:
    digests = {write_archive(root, CONFIG, tmp_path / name) for name in ("one", "two")}
    assert len(digests) == 1
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"root", "one", "two"}
