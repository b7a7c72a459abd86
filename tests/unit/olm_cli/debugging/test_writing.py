from __future__ import annotations

import stat
import tarfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from olm_cli.debugging.writing import default_place, write_archive
from olm_cli.problems import BadInput

NOW = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
FILES = {"index.json": b"{}", "logs/a.log": b"text"}


def test_an_archive_is_complete_and_for_its_owner_only(tmp_path: Path) -> None:
    place = tmp_path / "till.tar.gz"
    place.write_text("older")
    size = write_archive(place, "olm-debug-till", FILES, NOW)
    assert (size, stat.S_IMODE(place.stat().st_mode)) == (place.stat().st_size, 0o600)
    assert list(tmp_path.iterdir()) == [place]
    with tarfile.open(place) as archive:
        members = {member.name: (member.size, member.mtime, member.mode) for member in archive.getmembers()}
        unpacked = archive.extractfile("olm-debug-till/logs/a.log")
        assert unpacked is not None
        assert unpacked.read() == b"text"
    seconds = NOW.timestamp()
    assert members == {
        "olm-debug-till/index.json": (2, seconds, 0o600),
        "olm-debug-till/logs/a.log": (4, seconds, 0o600),
    }


def test_the_same_values_make_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_archive(tmp_path / name, "olm-debug-till", FILES, NOW)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_place_that_takes_no_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as is_folder:
        write_archive(tmp_path, "x", FILES, NOW)
    assert str(is_folder.value) == f'cannot write "{tmp_path}": it is there and no file'
    with pytest.raises(BadInput) as is_absent:
        write_archive(tmp_path / "no" / "a.tar.gz", "x", FILES, NOW)
    assert str(is_absent.value) == f'cannot write "{tmp_path}/no/a.tar.gz": no such file or directory'


def test_without_a_name_it_goes_into_the_working_directory() -> None:
    assert default_place("till", NOW) == Path("olm-debug-till-20260304T050607Z.tar.gz")
