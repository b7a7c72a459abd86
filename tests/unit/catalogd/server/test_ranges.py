from __future__ import annotations

import pytest

from catalogd.server.ranges import ByteRange, Unsatisfiable, range_of


@pytest.mark.parametrize(
    ("header", "part"),
    [
        ("bytes=0-9", ByteRange(0, 10)),
        ("bytes=90-", ByteRange(90, 100)),
        ("bytes=90-1000", ByteRange(90, 100)),
        ("bytes=-10", ByteRange(90, 100)),
        ("bytes=-1000", ByteRange(0, 100)),
        ("bytes=0-0", ByteRange(0, 1)),
    ],
)
def test_range_of_gives_the_part(header: str, part: ByteRange) -> None:
    assert range_of(header, 100) == part


@pytest.mark.parametrize(
    "header", [None, "", "bytes=", "bytes=-", "bytes=9-0", "bytes=0-1,5-6", "lines=0-1", "bytes=x-"]
)
def test_range_of_sends_all_when_the_header_is_not_one_range(header: str | None) -> None:
    assert range_of(header, 100) is None


@pytest.mark.parametrize(("header", "size"), [("bytes=100-", 100), ("bytes=-0", 100), ("bytes=0-", 0), ("bytes=-5", 0)])
def test_range_of_cannot_satisfy_what_begins_behind_the_end(header: str, size: int) -> None:
    assert isinstance(range_of(header, size), Unsatisfiable)
