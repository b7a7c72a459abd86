from __future__ import annotations

import io
from collections.abc import Mapping

import pytest

from catalogd.unpack.spool import Head, Spool
from olmv1.fbc import FbcError
from olmv1.fbc.validation import FileLines


def a_spool(files: Mapping[str, bytes]) -> Spool:
    spool = Spool(io.BytesIO())
    for path, content in files.items():
        spool.add(path, content)
    return spool


def lines(spool: Spool) -> bytes:
    return b"".join(piece for _, pieces in spool.pieces(chunk_bytes=7) for piece in pieces)


def blob(name: str) -> bytes:
    return b"schema: s\nname: '%s'\n" % name.encode()


def line(name: str) -> bytes:
    return b'{"name":"%s","schema":"s"}\n' % name.encode()


def test_spool_gives_lines_in_walk_order_whatever_the_order_of_the_image() -> None:
    spool = a_spool(
        {"b.yaml": blob("4"), "a.yaml": blob("3"), "a/z.json": b'{"schema":"s","name":"2"}', "a/b/c.yml": blob("1")}
    )
    assert lines(spool) == b"".join(map(line, "1234"))


def test_spool_gives_the_heads_of_every_file() -> None:
    content = blob("1") + b"package: p\n---\n" + blob("2")
    (heads, _pieces), *_ = a_spool({"a.yaml": content}).pieces()
    assert heads == (
        Head("s", "p", "1", len('{"name":"1","package":"p","schema":"s"}\n')),
        Head("s", "", "2", len(line("2"))),
    )


def test_spool_leaves_out_what_an_ignore_file_names_even_when_that_comes_last() -> None:
    spool = a_spool({"a/x.yaml": blob("1"), "a/bad.yaml": b"[", "x.yaml": blob("2"), "a/.indexignore": b"bad.yaml\n"})
    assert lines(spool) == line("1") + line("2")


def test_spool_passes_over_files_that_are_no_catalog_files() -> None:
    spool = a_spool({"README.md": b"# [", "a.yaml": blob("1"), "NOTES": b"{"})
    assert lines(spool) == line("1")
    assert spool.passed_over == ("NOTES", "README.md")


def test_spool_reports_the_first_faulty_file_in_walk_order() -> None:
    spool = a_spool({"b.yaml": b"- 1", "a.yaml": blob("1") + b"---\n- 2"})
    with pytest.raises(FbcError) as caught:
        lines(spool)
    assert str(caught.value) == "a.yaml, document 2: expected an object, found list"


def test_spool_of_no_files_gives_nothing() -> None:
    assert lines(a_spool({})) == b""


def test_spool_tells_which_file_each_line_is_of() -> None:
    spool = a_spool(
        {"b.yaml": blob("2") + b"---\n" + blob("3"), "a.yaml": blob("1"), "x.yaml": b"", "y.yaml": blob("4")}
    )
    spool.add(".indexignore", b"y.yaml")
    assert spool.layout() == (FileLines("a.yaml", 1), FileLines("b.yaml", 2), FileLines("x.yaml", 0))
