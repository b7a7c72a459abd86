"""Archives of charts: the same bytes each time, and nothing hostile comes out of one."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from operator_controller.chart import ChartError
from operator_controller.chart.archives import MAX_UNPACKED_BYTES, packed, unpacked

FILES = {"Chart.yaml": b"name: x\n", "templates/a.yaml": b"{{ .Values }}"}


def a_tar(name: str, *, kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        entry = tarfile.TarInfo(name)
        entry.type, entry.linkname = kind, link
        archive.addfile(entry, io.BytesIO())
    return gzip.compress(buffer.getvalue())


def a_sparse_file(size: int) -> bytes:
    """One that is a single byte at the end of `size` bytes of nothing."""
    data = f"1\n{size - 1}\n1\n".encode().ljust(tarfile.BLOCKSIZE, b"\0") + b"x"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        entry = tarfile.TarInfo("x/y")
        entry.size = len(data)
        entry.pax_headers = {"GNU.sparse.major": "1", "GNU.sparse.minor": "0", "GNU.sparse.realsize": str(size)}
        archive.addfile(entry, io.BytesIO(data))
    return gzip.compress(buffer.getvalue())


def test_unpacked_returns_what_was_packed() -> None:
    assert unpacked(packed(FILES), "x") == FILES


def test_packed_is_the_same_for_any_order_of_files() -> None:
    assert packed(FILES) == packed(dict(reversed(FILES.items())))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(a_tar("x/../../y"), "x.tgz: entry 'x/../../y' lies outside its folder", id="climbs out"),
        pytest.param(a_tar("/etc/passwd"), "x.tgz: entry '/etc/passwd' lies outside its folder", id="absolute"),
        pytest.param(a_tar("x\\y"), r"x.tgz: entry 'x\\\\y' lies outside its folder", id="backslash"),
        pytest.param(a_tar("y"), "x.tgz: entry 'y' lies outside its folder", id="no folder"),
        pytest.param(
            a_tar("x/y", kind=tarfile.SYMTYPE, link="/etc/passwd"), "x.tgz: entry 'x/y' is no regular file", id="link"
        ),
        pytest.param(a_sparse_file(2**20), "x.tgz: entry 'x/y' is no regular file", id="sparse"),
        pytest.param(b"no archive", "x.tgz: the archive is damaged", id="no gzip"),
        pytest.param(gzip.compress(b"no archive" * 99), "x.tgz: the archive is damaged", id="no tar"),
    ],
)
def test_unpacked_refuses(data: bytes, message: str) -> None:
    with pytest.raises(ChartError, match=f"^{message}$"):
        unpacked(data, "x.tgz")


def test_unpacked_stops_at_its_limit() -> None:
    bomb = gzip.compress(bytes(MAX_UNPACKED_BYTES + 1))
    with pytest.raises(ChartError, match=f"^x.tgz unpacks to more than {MAX_UNPACKED_BYTES} bytes$"):
        unpacked(bomb, "x.tgz")
