from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from operator_controller.certificates import (
    Facts,
    Lifetimes,
    Need,
    ServingFacts,
    SignerStep,
    Steps,
    due,
    is_usable,
    next_look,
)

NOW = datetime(2026, 6, 1, tzinfo=UTC)
LIVES = Lifetimes()
NEED = Need(("ns", "cert"), ("svc.ns", "svc.ns.svc"))


def in_days(days: float) -> datetime:
    return NOW + timedelta(days=days)


def serving(days: float = 365, names: tuple[str, ...] = NEED.names, *, is_by_signer: bool = True) -> dict[Any, Any]:
    return {NEED.place: ServingFacts(in_days(days), frozenset(names), is_by_signer)}


def facts(signer: float | None = 700, successor: float | None = None, **more: Any) -> Facts:
    ends = [None if days is None else in_days(days) for days in (signer, successor)]
    return Facts(ends[0], ends[1], **{"serving": serving(), **more})


def steps(found: Facts, *, is_spread: bool = False) -> Steps:
    return due(found, [NEED], NOW, LIVES, is_spread=is_spread)


def test_due_is_nothing_when_all_is_well() -> None:
    assert steps(facts()).is_nothing


def test_due_makes_everything_at_first() -> None:
    assert steps(Facts()) == Steps(SignerStep.REPLACE, issues=(NEED,))


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(facts(serving={}), Steps(issues=(NEED,)), id="missing"),
        pytest.param(facts(serving={NEED.place: None}), Steps(issues=(NEED,)), id="unusable"),
        pytest.param(facts(serving=serving(names=("svc.ns",))), Steps(issues=(NEED,)), id="name is missing"),
        pytest.param(facts(serving=serving(names=(*NEED.names, "x"))), Steps(), id="more names"),
        pytest.param(facts(serving=serving(is_by_signer=False)), Steps(issues=(NEED,)), id="of another authority"),
        pytest.param(facts(serving=serving(122)), Steps(), id="not yet a third left"),
        pytest.param(facts(serving=serving(121)), Steps(issues=(NEED,)), id="a third left"),
        pytest.param(facts(serving=serving(-1)), Steps(issues=(NEED,)), id="ended"),
        pytest.param(facts(100, 700, serving=serving(100)), Steps(), id="cannot outlive its authority"),
    ],
)
def test_due_issues_a_serving_certificate(found: Facts, expected: Steps) -> None:
    assert steps(found) == expected


@pytest.mark.parametrize(
    ("found", "is_spread", "expected"),
    [
        pytest.param(facts(244), False, Steps(), id="young"),
        pytest.param(facts(243), False, Steps(adds_successor=True), id="a third left"),
        pytest.param(facts(200, -1), False, Steps(adds_successor=True), id="successor ended"),
        pytest.param(facts(200, 730), False, Steps(), id="successor is not trusted yet"),
        pytest.param(facts(200, 730), True, Steps(SignerStep.TAKE_OVER, issues=(NEED,)), id="successor is trusted"),
        pytest.param(facts(73, 600), False, Steps(SignerStep.TAKE_OVER, issues=(NEED,)), id="no more time"),
        pytest.param(facts(0, 600), False, Steps(SignerStep.TAKE_OVER, issues=(NEED,)), id="ended with a successor"),
        pytest.param(facts(None, 600), False, Steps(SignerStep.TAKE_OVER, issues=(NEED,)), id="lost with a successor"),
        pytest.param(facts(0), False, Steps(SignerStep.REPLACE, issues=(NEED,)), id="ended"),
        pytest.param(facts(0, -1), True, Steps(SignerStep.REPLACE, issues=(NEED,)), id="both ended"),
    ],
)
def test_due_changes_the_authority_in_two_steps(found: Facts, is_spread: bool, expected: Steps) -> None:
    assert steps(found, is_spread=is_spread) == expected


def test_due_stops_trusting_retired_authorities_that_have_ended() -> None:
    assert steps(facts(retired_ends=(in_days(1), NOW, in_days(-1)))) == Steps(ended=(1, 2))


def test_due_drops_certificates_that_nobody_needs_when_they_are_of_no_use() -> None:
    valid, ended = ServingFacts(in_days(1), frozenset(), True), ServingFacts(NOW, frozenset(), True)
    others = {("ns", "valid"): valid, ("ns", "ended"): ended, ("ns", "broken"): None}
    assert steps(facts(serving={**serving(), **others})) == Steps(drops=(("ns", "broken"), ("ns", "ended")))


@pytest.mark.parametrize(
    ("found", "days"),
    [
        pytest.param(facts(), 365 - 365 / 3, id="serving certificate"),
        pytest.param(facts(300), 300 - 730 / 3, id="authority"),
        pytest.param(facts(200, 730), 200 - 73, id="successor"),
        pytest.param(facts(retired_ends=(in_days(-1), in_days(5))), 5, id="retired authority"),
        pytest.param(Facts(), 0.365, id="nothing"),
        pytest.param(facts(10, 730, serving=serving(10)), 0.365, id="not sooner than a pause"),
    ],
)
def test_next_look_is_when_something_will_be_due(found: Facts, days: float) -> None:
    assert next_look(found, [NEED], NOW, LIVES) == NOW + timedelta(days=days)


@pytest.mark.parametrize(
    ("found", "answer"),
    [
        pytest.param(facts(), True, id="well"),
        pytest.param(facts(0), False, id="authority ended"),
        pytest.param(facts(None), False, id="no authority"),
        pytest.param(facts(serving=serving(0)), False, id="certificate ended"),
        pytest.param(facts(serving={}), False, id="no certificate"),
    ],
)
def test_is_usable_says_whether_webhooks_work(found: Facts, answer: bool) -> None:
    assert is_usable(found, [NEED], NOW) is answer
