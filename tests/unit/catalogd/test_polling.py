from __future__ import annotations

from dataclasses import replace

import pytest

from catalogd.polling import Attempt, Wanted, first_poll_factor, is_due, later_poll_factor, next_at_s
from olmv1.errors import RetryableError, TerminalError

WANTED = Wanted("registry.example/team/catalog:v1", generation=1, poll_interval_s=600.0)
GOOD = Attempt(WANTED, at_s=1000.0, poll_factor=1.05, resolved_ref="registry.example/team/catalog@sha256:0f")
FAILING = replace(GOOD, failure=RetryableError("no route"), failures=3, retry_in_s=4.0)
BLOCKED = replace(GOOD, failure=TerminalError("malformed"), failures=1)


@pytest.mark.parametrize(
    ("last", "now_s", "due"),
    [
        pytest.param(None, 1000.0, True, id="never looked at"),
        pytest.param(GOOD, 1000.0, False, id="just looked at"),
        pytest.param(GOOD, 1629.9, False, id="before the poll"),
        pytest.param(GOOD, 1630.0, True, id="poll"),
        pytest.param(FAILING, 1003.9, False, id="before the retry"),
        pytest.param(FAILING, 1004.0, True, id="retry"),
        pytest.param(BLOCKED, 1629.9, False, id="blocked"),
        pytest.param(BLOCKED, 1630.0, True, id="blocked but polled"),
    ],
)
def test_is_due_when_the_time_has_come(last: Attempt | None, now_s: float, due: bool) -> None:
    assert is_due(WANTED, last, now_s, has_content=True) is due


@pytest.mark.parametrize(
    ("wanted", "last", "due"),
    [
        pytest.param(replace(WANTED, ref="registry.example/team/catalog:v2"), GOOD, True, id="other reference"),
        pytest.param(replace(WANTED, poll_now="2"), GOOD, True, id="asked for"),
        pytest.param(replace(WANTED, generation=2), GOOD, False, id="spec changed elsewhere"),
        pytest.param(replace(WANTED, generation=2), BLOCKED, True, id="spec changed while blocked"),
        pytest.param(replace(WANTED, generation=2), FAILING, True, id="spec changed while failing"),
        pytest.param(replace(WANTED, poll_interval_s=60.0), GOOD, False, id="interval shortened"),
    ],
)
def test_is_due_when_something_else_is_wanted(wanted: Wanted, last: Attempt, due: bool) -> None:
    assert is_due(wanted, last, 1001.0, has_content=True) is due


def test_is_due_when_content_was_lost() -> None:
    assert is_due(WANTED, GOOD, 1001.0, has_content=False) is True


def test_is_due_waits_for_the_retry_while_there_is_no_content_yet() -> None:
    assert is_due(WANTED, FAILING, 1001.0, has_content=False) is False


@pytest.mark.parametrize(
    ("wanted", "last", "at_s"),
    [
        (WANTED, GOOD, 1630.0),
        (replace(WANTED, poll_interval_s=60.0), GOOD, 1063.0),
        (replace(WANTED, poll_interval_s=None), GOOD, None),
        (WANTED, FAILING, 1004.0),
        (WANTED, BLOCKED, 1630.0),
    ],
)
def test_next_at_follows_the_interval_or_the_retry(wanted: Wanted, last: Attempt, at_s: float | None) -> None:
    assert next_at_s(wanted, last) == (None if at_s is None else pytest.approx(at_s))


def test_poll_factors_spread_the_first_poll_and_jitter_the_later_ones_by_a_tenth() -> None:
    assert (first_poll_factor(0.0), first_poll_factor(1.0)) == pytest.approx((0.1, 1.0))
    assert (later_poll_factor(0.0), later_poll_factor(1.0)) == pytest.approx((1.0, 1.1))
