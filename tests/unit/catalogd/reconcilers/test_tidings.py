from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pytest

from catalogd.polling import Attempt, Wanted
from catalogd.reconcilers.examiner import Verdict
from catalogd.reconcilers.tidings import Tidings
from catalogd.store import Snapshot, Store
from olmv1.errors import RetryableError, TerminalError
from olmv1.fbc.validation import Code, Finding, Place, Severity, Subject
from olmv1.manifests import Manifest
from tests.contents import a_ref, store_content

GOOD = Attempt(Wanted("registry.example/team/catalog:v1", 1), 0.0, 1.0, resolved_ref=a_ref())
FAILING = replace(GOOD, failure=RetryableError("no route"), failures=1, retry_in_s=3.4)
SERVING = f"serving {a_ref()}: 1 package, 1 bundle"


@dataclass
class Notebook:
    """Events as they were emitted: type, reason, message."""

    events: list[tuple[str, str, str]] = field(default_factory=list)

    def emit(  # the names are those of the port
        self,
        about: Manifest,  # noqa: ARG002
        *,
        type_: Literal["Normal", "Warning"],
        reason: str,
        message: str,
        action: str,  # noqa: ARG002
    ) -> None:
        self.events.append((type_, str(reason), message))


@pytest.fixture
def snapshot(store: Store) -> Snapshot:
    return store_content(store)


def told(last: Attempt | None, now: Attempt, snapshot: Snapshot | None, catalog: dict[str, Any] | None = None) -> Any:
    notebook = Notebook()
    Tidings(notebook).tell(catalog or {}, last, now, snapshot)
    return notebook.events


def test_tidings_tell_of_new_content(snapshot: Snapshot) -> None:
    assert told(None, GOOD, snapshot) == [("Normal", "Succeeded", SERVING)]
    assert told(replace(GOOD, resolved_ref=a_ref("ab")), GOOD, snapshot) == [("Normal", "Succeeded", SERVING)]


def test_tidings_tell_of_recovery(snapshot: Snapshot) -> None:
    last = replace(FAILING, failures=3)
    assert told(last, GOOD, snapshot) == [("Normal", "Succeeded", f"{SERVING}; recovered after 3 failed tries")]


def test_tidings_say_nothing_when_nothing_is_new(snapshot: Snapshot) -> None:
    known = {"status": {"resolvedSource": {"image": {"ref": a_ref()}}}}
    assert told(GOOD, GOOD, snapshot) == []
    assert told(None, GOOD, snapshot, known) == []


def test_tidings_tell_of_a_failure_with_the_next_try() -> None:
    message = "no route (try 1, the next one in 3 s)"
    assert told(None, FAILING, None) == [("Warning", "Retrying", message)]


def test_tidings_tell_of_a_decided_failure() -> None:
    blocked = replace(GOOD, failure=TerminalError("malformed"), failures=1)
    message = "malformed (not tried again before the spec or the digest changes)"
    assert told(GOOD, blocked, None) == [("Warning", "Blocked", message)]


def test_tidings_thin_out_a_streak() -> None:
    counts = [n for n in range(2, 20) if told(replace(FAILING, failures=n - 1), replace(FAILING, failures=n), None)]
    assert counts == [2, 4, 8, 16]


def test_tidings_tell_when_the_failure_is_another_one() -> None:
    assert told(replace(FAILING, failures=4), replace(FAILING, failure=RetryableError("refused"), failures=5), None)


def test_tidings_cut_long_messages_so_that_the_ending_stays() -> None:
    [(_, _, message)] = told(None, replace(FAILING, failure=RetryableError("x" * 5000)), None)
    assert message == f"{'x' * 800}… (try 1, the next one in 3 s)"


def test_tidings_tell_what_an_image_was_accepted_in_spite_of() -> None:
    notebook = Notebook()
    Tidings(notebook).warn({}, ["there is no signature policy"])
    assert notebook.events == [("Warning", "ImageAccepted", "there is no signature policy")]


A_FINDING = Finding(
    Severity.ERROR,
    Code.EMPTY_CHANNEL,
    "channel must contain at least one bundle",
    Place("lamp/a.yaml", 2),
    Subject("olm.channel", "lamp", "stable"),
)


@pytest.mark.parametrize(
    ("verdict", "type_", "found"),
    [
        pytest.param(Verdict("", 1, 0, (A_FINDING,)), "Warning", f"1 error: {A_FINDING}", id="one error"),
        pytest.param(
            Verdict("", 4, 1, (A_FINDING, A_FINDING)),
            "Warning",
            f"4 errors and 1 warning: {A_FINDING}; {A_FINDING}; and 3 more",
            id="more than are shown",
        ),
        pytest.param(Verdict("", 0, 2, (A_FINDING,)), "Normal", f"2 warnings: {A_FINDING}; and 1 more", id="warnings"),
    ],
)
def test_tidings_report_what_is_wrong_with_content(verdict: Verdict, type_: str, found: str) -> None:
    notebook = Notebook()
    Tidings(notebook).report({}, "r@sha256:0f", verdict)
    message = f"r@sha256:0f is served in spite of {found} (see olm catalog validate)"
    assert notebook.events == [(type_, "ContentFindings", message)]


def test_tidings_report_fits_an_event() -> None:
    notebook = Notebook()
    long = replace(A_FINDING, message="x" * 900)
    Tidings(notebook).report({}, a_ref(), Verdict("", 9, 9, (long,) * 3))
    assert len(notebook.events[0][2]) < 1024
    assert notebook.events[0][2].endswith("…; and 15 more (see olm catalog validate)")
