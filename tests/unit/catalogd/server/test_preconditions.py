from __future__ import annotations

import pytest

from catalogd.server.encodings import Encoding
from catalogd.server.preconditions import Validators, Verdict, http_date, is_range_current, judge

MODIFIED_S = 1795253058
AT = "Sat, 21 Nov 2026 09:24:18 GMT"
BEFORE = "Sat, 21 Nov 2026 09:24:17 GMT"
VALIDATORS = Validators("abc", MODIFIED_S)
GO_ON, NOT_MODIFIED, FAILED = Verdict(200), Verdict(304), Verdict(412)


def test_http_date_is_what_http_writes() -> None:
    assert http_date(MODIFIED_S) == AT


def test_validators_give_each_coding_its_own_tag() -> None:
    assert [VALIDATORS.tag(encoding) for encoding in Encoding] == ['"abc"', '"abc-gzip"', '"abc-zstd"']


@pytest.mark.parametrize(
    ("headers", "verdict"),
    [
        ({}, GO_ON),
        ({"If-None-Match": '"abc"'}, Verdict(304, '"abc"')),
        ({"If-None-Match": '"x", W/"abc-gzip"'}, Verdict(304, '"abc-gzip"')),
        ({"If-None-Match": '"x"'}, GO_ON),
        ({"If-None-Match": '"abcd"'}, GO_ON),
        ({"If-None-Match": "*"}, NOT_MODIFIED),
        ({"If-None-Match": '"x"', "If-Modified-Since": AT}, GO_ON),
        ({"If-Modified-Since": AT}, NOT_MODIFIED),
        ({"If-Modified-Since": BEFORE}, GO_ON),
        ({"If-Modified-Since": "Saturday, 21-Nov-26 09:24:18 GMT"}, NOT_MODIFIED),
        ({"If-Modified-Since": "Sat Nov 21 09:24:18 2026"}, NOT_MODIFIED),
        ({"If-Modified-Since": "yesterday"}, GO_ON),
        ({"If-Modified-Since": "Sat, 99 Nov 99999 09:24:18 GMT"}, GO_ON),
        ({"If-Match": '"abc-zstd"'}, GO_ON),
        ({"If-Match": 'W/"abc"'}, FAILED),
        ({"If-Match": '"x"'}, FAILED),
        ({"If-Match": "*"}, GO_ON),
        ({"If-Match": "*", "If-Unmodified-Since": BEFORE}, GO_ON),
        ({"If-Match": '"abc"', "If-None-Match": '"abc"'}, Verdict(304, '"abc"')),
        ({"If-Unmodified-Since": BEFORE}, FAILED),
        ({"If-Unmodified-Since": AT}, GO_ON),
        ({"If-Unmodified-Since": "never"}, GO_ON),
    ],
)
def test_judge_evaluates_the_conditions_in_order(headers: dict[str, str], verdict: Verdict) -> None:
    assert judge(headers, VALIDATORS) == verdict


@pytest.mark.parametrize(
    ("condition", "is_current"),
    [
        (None, True),
        ('"abc"', True),
        ('"abc-gzip"', False),
        ('W/"abc"', False),
        (AT, True),
        (BEFORE, False),
        ("x", False),
    ],
)
def test_is_range_current_compares_exactly(condition: str | None, is_current: bool) -> None:
    headers = {} if condition is None else {"If-Range": condition}
    assert is_range_current(headers, VALIDATORS) is is_current
