from __future__ import annotations

from array import array
from collections.abc import Mapping

import pytest

from catalogd.index import Index, IndexBuilder, IndexFormatError


def an_index() -> Index:
    builder = IndexBuilder()
    builder.add("olm.package", "", "ledger", 67)
    builder.add("", "ledger", "nameless", 20)
    builder.add("olm.channel", "ledger", "stable", 178)
    builder.add("olm.bundle", "ledger", "ledger", 90)
    return builder.build()


def plain(lists: Mapping[str, array[int]]) -> dict[str, list[int]]:
    return {text: lines.tolist() for text, lines in lists.items()}


def test_index_lists_lines_by_each_field() -> None:
    index = an_index()
    assert plain(index.by_schema) == {"olm.package": [0], "olm.channel": [2], "olm.bundle": [3]}
    assert plain(index.by_package) == {"ledger": [2, 3]}
    assert plain(index.by_name) == {"ledger": [0, 3], "stable": [2]}


def test_index_finds_the_sections_of_lines() -> None:
    index = an_index()
    assert [index.section(line) for line in range(4)] == [(0, 67), (67, 20), (87, 178), (265, 90)]


def test_index_survives_its_stored_form() -> None:
    index = an_index()
    assert Index.from_bytes(index.to_bytes()) == index


def test_index_has_one_stored_form() -> None:
    assert an_index().to_bytes() == (
        b'{"format":"olmv1-index/1","texts":["olm.package","","ledger","nameless","olm.channel","stable","olm.bundle"],'
        b'"lengths":[67,20,178,90],"schemas":[0,1,4,6],"packages":[1,2,2,2],"names":[2,3,5,2]}'
    )


def test_index_refuses_bytes_of_another_format() -> None:
    with pytest.raises(IndexFormatError, match=r'^index has the format "olmv1-index/0", expected "olmv1-index/1"$'):
        Index.from_bytes(an_index().to_bytes().replace(b"index/1", b"index/0"))
