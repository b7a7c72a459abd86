from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from catalogd.outcome import Outcome, Served, Withdrawn
from catalogd.status import status_of
from olmv1.errors import RetryableError, TerminalError

NOW = dt.datetime(2026, 1, 1, 0, 0, 12, tzinfo=dt.UTC)
REF = f"registry.example/team/catalog@sha256:{'0f' * 32}"
BASE = "https://catalogd-service.olmv1-system.svc/catalogs/team"
SERVED = Served(REF, BASE, NOW - dt.timedelta(seconds=1))
CONTENT = {
    "resolvedSource": {"type": "Image", "image": {"ref": REF}},
    "urls": {"base": BASE},
    "lastUnpacked": "2026-01-01T00:00:11Z",
}
STAMP = {"observedGeneration": 1, "lastTransitionTime": "2026-01-01T00:00:12Z"}
UNSET = "Catalog availability mode is set to Unavailable"


def a_catalog(status: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"metadata": {"name": "team", "generation": 1}, **({"status": status} if status else {})}


def condition(type_: str, status: str, reason: str, message: str) -> dict[str, Any]:
    return {"type": type_, "status": status, "reason": reason, "message": message, **STAMP}


SUCCEEDED = condition(
    "Progressing", "True", "Succeeded", "Successfully unpacked and stored content from resolved source"
)
AVAILABLE = condition("Serving", "True", "Available", "Serving desired content from resolved source")
NOT_YET = condition("Serving", "False", "Unavailable", "Content of the catalog has not been unpacked yet")
GOOD = {**CONTENT, "conditions": [SUCCEEDED, AVAILABLE]}


def test_status_of_served_content() -> None:
    assert status_of(a_catalog(), Outcome(served=SERVED), NOW) == GOOD


def test_status_of_the_same_outcome_later_is_the_same_status() -> None:
    later = NOW + dt.timedelta(hours=1)
    assert status_of(a_catalog(GOOD), Outcome(served=SERVED), later) == GOOD


def test_status_of_content_that_is_about_to_be_fetched_says_that_nothing_is_served() -> None:
    assert status_of(a_catalog(), Outcome(is_pending=True), NOW) == {"conditions": [NOT_YET]}


def test_status_of_lost_content_keeps_what_other_replicas_need() -> None:
    status = status_of(a_catalog(GOOD), Outcome(is_pending=True), NOW)
    assert status == {**CONTENT, "conditions": [SUCCEEDED, NOT_YET]}


@pytest.mark.parametrize(
    ("failure", "status", "reason"),
    [
        (RetryableError("source catalog content: no route to registry.example"), "True", "Retrying"),
        (TerminalError("error storing fbc: a.yaml, document 3: not an object"), "False", "Blocked"),
    ],
)
def test_status_of_a_failure_keeps_serving(failure: RetryableError | TerminalError, status: str, reason: str) -> None:
    seen = Outcome(served=SERVED, failure=failure)
    failed = condition("Progressing", status, reason, str(failure))
    assert status_of(a_catalog(GOOD), seen, NOW) == {**CONTENT, "conditions": [failed, AVAILABLE]}


def test_status_of_a_first_failure_says_that_nothing_is_served() -> None:
    seen = Outcome(failure=RetryableError("source catalog content: no route"))
    failed = condition("Progressing", "True", "Retrying", "source catalog content: no route")
    assert status_of(a_catalog(), seen, NOW) == {"conditions": [failed, NOT_YET]}


def test_status_of_a_catalog_set_to_unavailable_forgets_its_content() -> None:
    progressing = condition("Progressing", "True", "Succeeded", UNSET)
    serving = condition("Serving", "False", "UserSpecifiedUnavailable", UNSET)
    status = status_of(a_catalog(GOOD), Outcome(withdrawn=Withdrawn.BY_USER), NOW)
    assert status == {"conditions": [progressing, serving]}


def test_status_of_a_deleted_catalog_forgets_its_content() -> None:
    serving = condition("Serving", "False", "Unavailable", "Catalog is being deleted")
    status = status_of(a_catalog(GOOD), Outcome(withdrawn=Withdrawn.BY_DELETION), NOW)
    assert status == {"conditions": [SUCCEEDED, serving]}


def test_status_of_keeps_foreign_conditions() -> None:
    foreign = {"type": "Mirrored", "status": "True", "reason": "Done", "message": "", **STAMP}
    current = {**GOOD, "conditions": [foreign, SUCCEEDED, AVAILABLE]}
    assert status_of(a_catalog(current), Outcome(served=SERVED), NOW)["conditions"] == [SUCCEEDED, AVAILABLE, foreign]


@pytest.mark.parametrize("failure", [RetryableError("source catalog content: no route"), TerminalError("malformed")])
def test_status_before_and_after_a_failed_fetch_are_the_same_at_rest(failure: RetryableError | TerminalError) -> None:
    failed = status_of(a_catalog(), Outcome(failure=failure), NOW)
    assert status_of(a_catalog(failed), Outcome(is_pending=True), NOW) == failed
    assert status_of(a_catalog(failed), Outcome(failure=failure), NOW) == failed
