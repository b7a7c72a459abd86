from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from catalogd.index import Index, IndexBuilder
from catalogd.query import MetasQuery, select

TEXTS = st.sampled_from(["", "a", "b", "é"])
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS, st.integers(1, 9)), max_size=30)


def an_index(rows: list[tuple[str, str, str, int]]) -> Index:
    builder = IndexBuilder()
    for row in rows:
        builder.add(*row)
    return builder.build()


@settings(derandomize=True, max_examples=100, deadline=None)
@given(rows=ROWS, wanted=st.tuples(TEXTS, TEXTS, TEXTS))
def test_select_gives_what_a_scan_of_all_lines_gives(
    rows: list[tuple[str, str, str, int]], wanted: tuple[str, str, str]
) -> None:
    content = b"".join(bytes([number]) * row[3] for number, row in enumerate(rows))
    matches = [
        bytes([number]) * row[3]
        for number, row in enumerate(rows)
        if not any(wanted) or (row[0] and all(want in ("", has) for want, has in zip(wanted, row, strict=False)))
    ]
    parts = select(an_index(rows), MetasQuery(*wanted))
    assert b"".join(content[offset : offset + length] for offset, length in parts) == b"".join(matches)
    assert all(one[0] + one[1] < two[0] for one, two in pairwise(parts))


@settings(derandomize=True, max_examples=50, deadline=None)
@given(rows=ROWS)
def test_index_survives_its_stored_form(rows: list[tuple[str, str, str, int]]) -> None:
    index = an_index(rows)
    assert Index.from_bytes(index.to_bytes()) == index
