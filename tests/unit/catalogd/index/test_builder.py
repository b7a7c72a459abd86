from __future__ import annotations

from catalogd.index import IndexBuilder


def test_index_builder_counts_lines_and_bytes() -> None:
    builder = IndexBuilder()
    builder.add("olm.package", "", "ledger", 67)
    builder.add("olm.channel", "ledger", "stable", 178)
    index = builder.build()
    assert (index.blobs, index.size_bytes, index.section(0), index.section(1)) == (2, 245, (0, 67), (67, 178))


def test_index_builder_goes_on_after_a_build() -> None:
    builder = IndexBuilder()
    builder.add("a", "", "", 10)
    early = builder.build()
    builder.add("a", "", "", 10)
    assert (early.blobs, builder.build().blobs) == (1, 2)


def test_index_builder_without_lines_gives_an_empty_index() -> None:
    index = IndexBuilder().build()
    assert (index.blobs, index.size_bytes, dict(index.by_schema)) == (0, 0, {})
