from __future__ import annotations

import pytest

from catalogd.index import Index, IndexBuilder
from catalogd.query import MetasQuery, select

ROWS = [
    ("olm.package", "", "ledger"),
    ("olm.channel", "ledger", "stable"),
    ("olm.bundle", "ledger", "ledger.v1"),
    ("olm.bundle", "ledger", "ledger.v2"),
    ("", "ledger", "stable"),
    ("olm.bundle", "other", "ledger.v1"),
    ("olm.channel", "ledger", "ledger"),
]


def an_index() -> Index:
    builder = IndexBuilder()
    for row in ROWS:
        builder.add(*row, 10)
    return builder.build()


@pytest.mark.parametrize(
    ("query", "sections"),
    [
        (MetasQuery(), [(0, 70)]),
        (MetasQuery(schema="olm.bundle"), [(20, 20), (50, 10)]),
        (MetasQuery(package="ledger"), [(10, 30), (60, 10)]),
        (MetasQuery(name="ledger"), [(0, 10), (60, 10)]),
        (MetasQuery(schema="olm.channel", package="ledger"), [(10, 10), (60, 10)]),
        (MetasQuery(schema="olm.package", name="ledger"), [(0, 10)]),
        (MetasQuery(package="ledger", name="stable"), [(10, 10)]),
        (MetasQuery(schema="olm.bundle", package="ledger", name="ledger.v1"), [(20, 10)]),
        (MetasQuery(schema="olm.bundle", package="ledger", name="stable"), []),
        (MetasQuery(schema="Olm.bundle"), []),
        (MetasQuery(package="nobody", name="ledger"), []),
    ],
)
def test_select_joins_neighbours_in_the_order_of_the_file(query: MetasQuery, sections: list[tuple[int, int]]) -> None:
    assert select(an_index(), query) == sections


def test_select_of_an_empty_catalog_is_nothing() -> None:
    assert select(IndexBuilder().build(), MetasQuery()) == []
