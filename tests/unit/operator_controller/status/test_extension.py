from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from olmv1.conditions import Condition
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.versions import VersionRelease
from operator_controller.outcome.extension import ExtensionOutcome, PreconditionError
from operator_controller.resolver import DeprecationMessages, Upgrade, Upgrades
from operator_controller.status import extension_status
from operator_controller.status.extension import deletion_status, held_deletion_status, teardown_problems
from operator_controller.upgradeability import BundleFacts, Minor, verdict_of
from tests.builders import a_condition, a_view, an_extension, an_object_set

NOW = datetime(2026, 1, 2, tzinfo=UTC)
GONE = PreconditionError(('service account "installer" not found in namespace "lantern-system"',))
GONE_TEXT = (
    "operation cannot proceed due to the following validation error(s): "
    'service account "installer" not found in namespace "lantern-system"'
)


def conditions_of(seen: ExtensionOutcome, ext: dict[str, Any] | None = None) -> dict[str, tuple[str, str, str]]:
    return told(extension_status(ext or an_extension(), seen, NOW))


def rolling(reason: str = "RollingOut", message: str = "Revision 1.1.0 is rolling out.", status: str = "True") -> Any:
    return a_view(2, "1.1.0", has_succeeded=False, progressing=a_condition("Progressing", status, reason, message))


INSTALLED = ("True", "Succeeded", "Installed bundle registry.example.com/lantern:1.0.0 successfully")


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        pytest.param(ExtensionOutcome(revisions=()), ("False", "Absent", "No bundle installed"), id="nothing yet"),
        pytest.param(
            ExtensionOutcome(revisions=(), failure=RetryableError("no")),
            ("False", "Failed", "No bundle installed"),
            id="an attempt failed",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(rolling(),)), ("False", "Absent", "No bundle installed"), id="first rollout"
        ),
        pytest.param(
            ExtensionOutcome(revisions=(rolling("Retrying", "x"),)),
            ("False", "Failed", "No bundle installed"),
            id="first rollout fails",
        ),
        pytest.param(ExtensionOutcome(revisions=(a_view(),)), INSTALLED, id="installed"),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(), rolling()), failure=TerminalError("no")),
            INSTALLED,
            id="upgrade fails",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(),), failure=GONE),
            ("Unknown", "Failed", GONE_TEXT),
            id="account missing",
        ),
        pytest.param(ExtensionOutcome(), ("Unknown", "Failed", "revisions could not be read"), id="unread"),
    ],
)
def test_extension_status_says_what_is_installed(seen: ExtensionOutcome, condition: tuple[str, str, str]) -> None:
    assert conditions_of(seen)["Installed"] == condition


@pytest.mark.parametrize(
    ("seen", "condition"),
    [
        pytest.param(
            ExtensionOutcome(revisions=(), failure=TerminalError("bad", reason="InvalidConfiguration")),
            ("False", "InvalidConfiguration", "bad"),
            id="terminal",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(), failure=GONE), ("True", "Retrying", GONE_TEXT), id="account missing"
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(progressing=a_condition("Progressing")),)),
            ("True", "Succeeded", "Desired state reached"),
            id="reached",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(progressing=a_condition("Progressing")), rolling())),
            ("True", "RollingOut", "Revision 1.1.0 is rolling out."),
            id="upgrade rolls out",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(2, "1.1.0", has_succeeded=False),)),
            ("True", "RollingOut", "Revision 1.1.0 is rolling out."),
            id="just created",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(rolling("Blocked", "mutable", "False"),)),
            ("False", "Blocked", "mutable"),
            id="revision blocked",
        ),
        pytest.param(
            ExtensionOutcome(revisions=()), ("True", "RollingOut", "No revision is rolling out yet."), id="nothing yet"
        ),
    ],
)
def test_extension_status_says_how_it_progresses(seen: ExtensionOutcome, condition: tuple[str, str, str]) -> None:
    assert conditions_of(seen)["Progressing"] == condition


def test_extension_status_copies_health_of_what_is_installed_only() -> None:
    healthy = a_view(available=a_condition("Available", "True", "ProbesSucceeded", "fine"))
    assert conditions_of(ExtensionOutcome(revisions=(healthy, rolling())))["Available"] == (
        "True",
        "ProbesSucceeded",
        "fine",
    )
    assert "Available" not in conditions_of(ExtensionOutcome(revisions=(rolling(),)))


def test_extension_status_sums_up_in_the_words_of_kstatus() -> None:
    healthy = a_view(available=a_condition("Available", message="fine"), progressing=a_condition("Progressing"))
    ext = {**an_extension(), "status": {"conditions": [a_condition("Stalled"), a_condition("Reconciling")]}}
    status = extension_status(ext, ExtensionOutcome(revisions=(healthy,)), NOW)
    found = conditions_of(ExtensionOutcome(revisions=(healthy,)), ext)
    assert (status["observedGeneration"], found["Ready"]) == (2, ("True", "Succeeded", "fine"))
    assert {"Stalled", "Reconciling"} & found.keys() == set()


def test_extension_status_says_what_is_unhealthy_about_the_revision_that_rolls_out() -> None:
    sick = a_view(2, "1.1.0", has_succeeded=False, available=a_condition("Available", "False", "ProbeFailure", "down"))
    found = conditions_of(ExtensionOutcome(revisions=(a_view(), sick)))
    assert found["Ready"] == ("False", "RollingOut", "Revision 1.1.0 is rolling out.\ndown")
    assert found["Reconciling"] == ("True", "RollingOut", "Revision 1.1.0 is rolling out.\ndown")


def test_extension_status_stays_as_it_is_while_nothing_happens() -> None:
    ext, seen = an_extension(), ExtensionOutcome(revisions=(a_view(), rolling()))
    ext["status"] = extension_status(ext, seen, NOW)
    assert extension_status(ext, seen, NOW + timedelta(minutes=1)) == ext["status"]


def test_extension_status_lists_available_upgrades() -> None:
    upgrades = Upgrades((Upgrade("lantern.v1.1.0", VersionRelease.parse("1.1.0", None), "lights"),))
    status = extension_status(an_extension(), ExtensionOutcome(revisions=(a_view(),), upgrades=upgrades), NOW)
    assert status["availableUpgrades"] == [{"bundle": "lantern.v1.1.0", "version": "1.1.0", "catalog": "lights"}]


def test_extension_status_drops_health_with_the_installation() -> None:
    ext = {**an_extension(), "status": {"conditions": [a_condition("Available"), a_condition("Theirs")]}}
    assert {"Available", "Theirs"} & conditions_of(ExtensionOutcome(revisions=()), ext).keys() == {"Theirs"}


def test_extension_status_lists_the_installed_then_the_rolling_revisions() -> None:
    status = extension_status(an_extension(), ExtensionOutcome(revisions=(a_view(), rolling())), NOW)
    assert status["install"] == {"bundle": {"name": "lantern.v1.0.0", "version": "1.0.0"}, "catalog": "lights"}
    assert [(item["name"], len(item.get("conditions", ()))) for item in status["activeRevisions"]] == [
        ("lantern-1", 0),
        ("lantern-2", 1),
    ]


@pytest.mark.parametrize(
    ("failure", "is_kept"),
    [pytest.param(GONE, True, id="account missing"), pytest.param(RetryableError("no"), False, id="nothing installed")],
)
def test_extension_status_keeps_install_when_validation_failed(failure: OlmError, is_kept: bool) -> None:
    ext = {**an_extension(), "status": {"install": {"bundle": {"name": "a", "version": "1.0.0"}}}}
    status = extension_status(ext, ExtensionOutcome(revisions=(), failure=failure), NOW)
    assert ("install" in status) is is_kept


KNOWN = DeprecationMessages(("package is old",), (), ("bundle is bad",))


@pytest.mark.parametrize(
    ("seen", "type_", "condition"),
    [
        pytest.param(
            ExtensionOutcome(revisions=(a_view(),), deprecations=KNOWN),
            "Deprecated",
            ("True", "Deprecated", "package is old\nbundle is bad"),
            id="sum",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(),), deprecations=KNOWN),
            "ChannelDeprecated",
            ("False", "NotDeprecated", "channel not deprecated"),
            id="not deprecated",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(), deprecations=KNOWN),
            "BundleDeprecated",
            ("Unknown", "Absent", "no bundle installed yet"),
            id="nothing installed",
        ),
        pytest.param(
            ExtensionOutcome(revisions=(a_view(),)),
            "PackageDeprecated",
            ("Unknown", "DeprecationStatusUnknown", "deprecation status unknown: catalog data unavailable"),
            id="no data",
        ),
    ],
)
def test_extension_status_tells_deprecation(
    seen: ExtensionOutcome, type_: str, condition: tuple[str, str, str]
) -> None:
    assert conditions_of(seen)[type_] == condition


def test_extension_status_keeps_the_last_known_deprecation_while_data_are_missing() -> None:
    known = a_condition("PackageDeprecated", "True", "Deprecated", "old")
    ext = {**an_extension(), "status": {"conditions": [known]}}
    seen = ExtensionOutcome(revisions=(a_view(),))
    assert conditions_of(seen, ext)["PackageDeprecated"] == ("True", "Deprecated", "old")


FINALIZER_FAILED = 'finalizer "olm.operatorframework.io/cleanup-contentmanager-cache" failed: '


def a_set_on_its_way_out(since: str, *conditions: dict[str, Any]) -> dict[str, Any]:
    made = an_object_set(conditions=conditions)
    return {**made, "metadata": {**made["metadata"], "deletionTimestamp": since}}


@pytest.mark.parametrize(
    ("object_set", "problems"),
    [
        pytest.param(an_object_set(), (), id="staying"),
        pytest.param(a_set_on_its_way_out("2026-01-01T23:59:59Z"), (), id="just begun"),
        pytest.param(
            a_set_on_its_way_out("2026-01-01T23:59:50Z", a_condition("Progressing", message="has rolled out")),
            ('revision "lantern-1": is being deleted',),
            id="silent",
        ),
        pytest.param(
            a_set_on_its_way_out("2026-01-01T23:59:50Z", a_condition("Progressing", "True", "Retrying", "one\ntwo")),
            ('revision "lantern-1": one\ntwo',),
            id="saying why",
        ),
    ],
)
def test_teardown_problems_are_those_that_last(object_set: dict[str, Any], problems: tuple[str, ...]) -> None:
    assert teardown_problems([object_set], NOW) == problems


def test_deletion_status_keeps_what_is_known_and_is_no_longer_ready() -> None:
    known = a_condition("Installed")
    ext = {**an_extension(), "status": {"conditions": [known, a_condition("Ready")], "install": {"bundle": {}}}}
    status = deletion_status(ext, ["first\nmore", "second"], NOW)
    text = f"{FINALIZER_FAILED}first\nsecond"
    assert told(status) == {
        "Progressing": ("True", "Retrying", text),
        "Ready": ("False", "Retrying", text),
        "Reconciling": ("True", "Retrying", text),
        "Installed": ("True", "Succeeded", ""),
    }
    assert status["install"] == {"bundle": {}}


def told(status: dict[str, Any]) -> dict[str, tuple[str, str, str]]:
    return {c["type"]: (c["status"], c["reason"], c["message"]) for c in status["conditions"]}


def test_deletion_status_counts_what_it_does_not_list() -> None:
    status = deletion_status(an_extension(), [f"r{number}" for number in range(7)], NOW)
    assert status["conditions"][0]["message"] == f"{FINALIZER_FAILED}r0\nr1\nr2\nr3\nr4\nand 2 more revisions"


def test_held_deletion_status_waits_for_a_person() -> None:
    ext = {**an_extension(), "status": {"conditions": [a_condition("Installed"), a_condition("Reconciling")]}}
    text = "2 objects\nway out"
    assert told(held_deletion_status(ext, text, NOW)) == {
        "Progressing": ("False", "Blocked", text),
        "Ready": ("False", "Blocked", text),
        "Stalled": ("True", "Blocked", text),
        "Installed": ("True", "Succeeded", ""),
    }


def test_extension_status_keeps_what_was_said_about_dependencies_until_they_are_checked_again() -> None:
    said = a_condition("DependenciesSatisfied", "False", "Unsatisfied", "no lamp")
    ext = {**an_extension(), "status": {"conditions": [said]}}
    met = Condition("DependenciesSatisfied", "True", "Satisfied", "fine")
    found = [
        conditions_of(seen, ext).get("DependenciesSatisfied")
        for seen in (
            ExtensionOutcome(revisions=(), failure=RetryableError("no catalog")),
            ExtensionOutcome(revisions=(), are_dependencies_known=True),
            ExtensionOutcome(revisions=(), are_dependencies_known=True, dependencies=met),
        )
    ]
    assert found == [("False", "Unsatisfied", "no lamp"), None, ("True", "Satisfied", "fine")]


def test_extension_status_tells_whether_the_cluster_may_be_upgraded() -> None:
    verdict = verdict_of([BundleFacts("lantern.v1.0.0", None)], Minor(4, 18))
    ext = {**an_extension(), "status": {"conditions": [a_condition("ClusterUpgradeable", "False")]}}
    asked = conditions_of(ExtensionOutcome(revisions=(a_view(),), upgradeable=verdict), ext)
    unasked = conditions_of(ExtensionOutcome(revisions=(a_view(),)), ext)
    assert asked["ClusterUpgradeable"] == ("True", "Compatible", "no maximum declared")
    assert "ClusterUpgradeable" not in unasked
