"""The archive reader: every format, and every damage as an error instead of a silent end."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable

import pytest

from olmv1.images.limits import LayerError
from olmv1.images.tar_stream import EntryKind, TarEntry, TarStream
from tests.oci_images import Entry, an_archive

LONG = "/".join(["directory-with-a-long-name"] * 12) + "/file"
Damage = Callable[[bytearray], None]


def read_all(data: bytes, limit: int = 65536) -> list[tuple[TarEntry, bytes]]:
    stream = TarStream(io.BytesIO(data).read, limit)
    found = []
    while (entry := stream.next()) is not None:
        found.append((entry, stream.content()))
    return found


def refusal_of(data: bytes, limit: int = 65536) -> str:
    with pytest.raises(LayerError) as caught:
        read_all(data, limit)
    return str(caught.value)


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT], ids=["pax", "gnu"])
@pytest.mark.parametrize("name", ["a", "ünï", LONG, "x" * 100, "x" * 101])
def test_next_reads_names_of_every_length(form: int, name: str) -> None:
    entries = [Entry(name, b"content"), Entry("link", type=tarfile.SYMTYPE, link=name)]
    assert read_all(an_archive(entries, form=form)) == [
        (TarEntry(name, EntryKind.FILE, 7), b"content"),
        (TarEntry("link", EntryKind.SYMBOLIC_LINK, 0, name), b""),
    ]


def test_next_joins_the_prefix_of_the_old_format() -> None:
    name = "p" * 120 + "/" + "n" * 90
    assert read_all(an_archive([Entry(name, b"1")], form=tarfile.USTAR_FORMAT)) == [
        (TarEntry(name, EntryKind.FILE, 1), b"1")
    ]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (tarfile.REGTYPE, EntryKind.FILE),
        (tarfile.AREGTYPE, EntryKind.FILE),
        (tarfile.CONTTYPE, EntryKind.FILE),
        (tarfile.LNKTYPE, EntryKind.HARD_LINK),
        (tarfile.SYMTYPE, EntryKind.SYMBOLIC_LINK),
        (tarfile.CHRTYPE, EntryKind.CHARACTER_DEVICE),
        (tarfile.BLKTYPE, EntryKind.BLOCK_DEVICE),
        (tarfile.DIRTYPE, EntryKind.DIRECTORY),
        (tarfile.FIFOTYPE, EntryKind.FIFO),
        (b"V", EntryKind.OTHER),
    ],
)
def test_next_tells_the_kinds_apart(kind: bytes, expected: EntryKind) -> None:
    assert read_all(an_archive([Entry("name", type=kind)]))[0][0].kind is expected


def test_next_passes_over_content_that_nobody_read() -> None:
    stream = TarStream(io.BytesIO(an_archive([Entry("a", b"x" * 3000), Entry("b", b"y")])).read, 0)
    names = [entry.name for entry in (stream.next(), stream.next()) if entry]
    assert (names, stream.content(), stream.next()) == (["a", "b"], b"y", None)


@pytest.mark.parametrize("data", [b"", bytes(512), bytes(10240)], ids=["nothing", "one block", "a record"])
def test_next_ends_at_an_empty_archive(data: bytes) -> None:
    assert read_all(data) == []


def test_next_needs_no_trailing_zero_blocks() -> None:
    assert [entry.name for entry, _ in read_all(an_archive([Entry("a", b"x" * 512)])[:1024])] == ["a"]


def test_next_takes_a_trailing_slash_for_a_directory() -> None:
    data = bytearray(an_archive([Entry("dir0", type=tarfile.AREGTYPE)]))
    data[3:4] = b"/"
    assert read_all(resealed(data))[0][0] == TarEntry("dir/", EntryKind.DIRECTORY)


def test_next_reads_binary_sizes() -> None:
    data = bytearray(an_archive([Entry("a", b"x" * 600)]))
    data[124:136] = b"\x80" + (600).to_bytes(11, "big")
    assert read_all(resealed(data)) == [(TarEntry("a", EntryKind.FILE, 600), b"x" * 600)]


def test_next_takes_the_size_of_an_extended_header() -> None:
    entries = [Entry("a", b"x" * 600, pax={"size": "600", "comment": "y"}), Entry("b", b"z")]
    assert [content for _, content in read_all(an_archive(entries))] == [b"x" * 600, b"z"]


@pytest.mark.parametrize(
    ("at", "value", "why"),
    [
        (slice(0, 1), b"b", "the archive has a damaged header"),
        (slice(148, 156), b"notoctal", "the archive has a header with a damaged checksum"),
        (slice(124, 136), b"9" * 12, "the archive has a header with a damaged size"),
        (slice(124, 136), b"\xff" * 12, "the archive has a header with a negative size"),
    ],
    ids=["name", "checksum", "octal", "negative"],
)
def test_next_refuses_a_damaged_header(at: slice, value: bytes, why: str) -> None:
    data = bytearray(an_archive([Entry("a", b"x")]))
    data[at] = value
    assert refusal_of(bytes(data) if at.start in (0, 148) else resealed(data)) == why


def test_next_refuses_damage_in_the_middle_where_tarfile_would_end() -> None:
    data = bytearray(an_archive([Entry("a", b"x"), Entry("b", b"y")]))
    data[1024:1030] = b"broken"
    with tarfile.open(fileobj=io.BytesIO(bytes(data)), mode="r|") as archive:
        assert archive.getnames() == ["a"]
    assert refusal_of(bytes(data)) == "the archive has a damaged header"


@pytest.mark.parametrize(
    ("length", "why"),
    [(100, "the archive ends in the middle of a header"), (700, "the archive ends in the middle of an entry")],
)
def test_next_refuses_a_cut_archive(length: int, why: str) -> None:
    assert refusal_of(an_archive([Entry("a", b"x" * 1000)])[:length]) == why


def test_next_refuses_a_directory_with_content() -> None:
    data = bytearray(an_archive([Entry("dir0", b"x", type=tarfile.AREGTYPE)]))
    data[3:4] = b"/"
    assert refusal_of(resealed(data)) == "a directory has content"


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT], ids=["pax", "gnu"])
def test_next_refuses_a_huge_extended_header_before_reading_it(form: int) -> None:
    data = an_archive([Entry("n" * 3000, b"")], form=form)
    with pytest.raises(LayerError, match=r"^an extended header has 30\d\d bytes, the limit is 1024$"):
        read_all(data, 1024)


def test_next_refuses_a_lying_extended_header_size() -> None:
    data = bytearray(an_archive([Entry("n" * 300, b"")]))
    data[124:136] = b"\x80" + (1 << 40).to_bytes(11, "big")
    assert refusal_of(resealed(data)) == "an extended header has 1099511627776 bytes, the limit is 65536"


@pytest.mark.parametrize("pax", [{"GNU.sparse.major": "1"}, {"GNU.sparse.map": "0,1"}])
def test_next_refuses_sparse_files(pax: dict[str, str]) -> None:
    assert refusal_of(an_archive([Entry("a", b"x", pax=pax)])) == "sparse files are refused"
    assert refusal_of(an_archive([Entry("a", b"x", type=tarfile.GNUTYPE_SPARSE)])) == "sparse files are refused"


def test_next_refuses_a_global_name() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", pax_headers={"path": "other"}) as archive:
        archive.addfile(tarfile.TarInfo("a"))
    assert refusal_of(buffer.getvalue()) == 'a global extended header sets "path"'


def test_next_ignores_a_global_comment() -> None:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", pax_headers={"comment": "abc"}) as archive:
        archive.addfile(tarfile.TarInfo("a"))
    assert [entry.name for entry, _ in read_all(buffer.getvalue())] == ["a"]


@pytest.mark.parametrize(
    ("records", "why"),
    [
        (b"xx path=a\n", "an extended header is damaged"),
        (b"99 path=a\n", "an extended header is damaged"),
        (b"8 path=a\n", "an extended header is damaged"),
        (b"9 path a\n", "an extended header is damaged"),
        (b"6 =ab\n", "an extended header is damaged"),
        (b"12 path=a\0b\n", "an extended header is damaged"),
        (b"11 size=1x\n", "an extended header has a damaged size"),
        (b"0 path=a\n", "an extended header is damaged"),
        (b"9 path=a\n" + b"x" * 20, "an extended header is damaged"),
    ],
)
def test_next_refuses_damaged_records(records: bytes, why: str) -> None:
    extension = an_archive([Entry("PaxHeaders/a", records, type=tarfile.XHDTYPE)])[:1024]
    assert refusal_of(extension + an_archive([Entry("a", b"x")])) == why


def resealed(data: bytearray) -> bytes:
    """`data` with the checksum of its first header made right again."""
    data[148:156] = b" " * 8
    data[148:156] = b"%06o\0 " % sum(data[:512])
    return bytes(data)
