from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from olmv1.api.vocabulary import ConditionStatus, ConditionType, Reason

ROOT = Path(__file__).resolve().parents[4]
ROOMS = ("olmv1", "catalogd", "operator_controller")
# Written down once more from the specifications, kind by kind: a new word is a change of the API.
TYPES = {
    "ClusterExtension": {
        "Installed",
        "Progressing",
        "Available",
        "Deprecated",
        "PackageDeprecated",
        "ChannelDeprecated",
        "BundleDeprecated",
        "DependenciesSatisfied",
        "ClusterUpgradeable",
        "UpgradePending",
        "Ready",
        "Reconciling",
        "Stalled",
    },
    "ClusterObjectSet": {"Progressing", "Available", "Succeeded", "Ready", "Reconciling", "Stalled"},
    "ClusterCatalog": {"Progressing", "Serving"},
}
REASONS = {
    "ClusterExtension": {
        "Succeeded",
        "Failed",
        "Absent",
        "Retrying",
        "Blocked",
        "InvalidConfiguration",
        "RollingOut",
        "ProgressDeadlineExceeded",
        "Paused",
        "Deprecated",
        "NotDeprecated",
        "DeprecationStatusUnknown",
        "Satisfied",
        "Unsatisfied",
        "InvalidConstraint",
        "NotEvaluated",
        "Compatible",
        "IncompatibleWithNextMinor",
        "InvalidMaxOpenShiftVersion",
        "MetadataUnavailable",
        "ApprovalRequired",
        "ProbesSucceeded",
        "ProbeFailure",
        "Reconciling",
        "Archived",
    },
    "ClusterObjectSet": {
        "RollingOut",
        "Succeeded",
        "Retrying",
        "Blocked",
        "ProgressDeadlineExceeded",
        "Paused",
        "Archived",
        "ProbesSucceeded",
        "ProbeFailure",
        "Reconciling",
    },
    "ClusterCatalog": {
        "Succeeded",
        "Retrying",
        "Blocked",
        "Available",
        "Unavailable",
        "UserSpecifiedUnavailable",
    },
}


def test_condition_types_are_those_of_the_specifications() -> None:
    assert set(ConditionType) == set().union(*TYPES.values())


def test_reasons_are_those_of_the_specifications() -> None:
    assert set(Reason) == set().union(*REASONS.values())


def test_condition_statuses_are_those_of_kubernetes() -> None:
    assert [str(status) for status in ConditionStatus] == ["True", "False", "Unknown"]


@pytest.mark.parametrize("vocabulary", [ConditionType, Reason])
def test_every_word_is_used(vocabulary: type[ConditionType | Reason]) -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources())
    unused = [
        word.name
        for word in vocabulary
        if f"{vocabulary.__name__}.{word.name}" not in text
        and f'reason="{word.value}"' not in text
        # the default of TerminalError
        and f'reason: str = "{word.value}"' not in text
    ]
    assert unused == []


def test_no_other_word_is_written() -> None:
    """Conditions and errors that name a type or reason as plain text name one of the list."""
    closed = {*ConditionType, *Reason, *ConditionStatus}
    written = {(path.name, word) for path in sources() for word in words_of(path)}
    assert sorted((name, word) for name, word in written if word not in closed) == []


def sources() -> list[Path]:
    return sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py") if path.name != "vocabulary.py")


def words_of(path: Path) -> Iterator[str]:
    """Text given as type, status or reason of a `Condition(…)`, or as reason of an error."""
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(call, ast.Call):
            continue
        name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
        if name == "Condition":
            yield from texts(call.args[:3])
            yield from texts([word.value for word in call.keywords if word.arg in ("type", "status", "reason")])
        elif name == "TerminalError":
            yield from texts([word.value for word in call.keywords if word.arg == "reason"])


def texts(values: Sequence[ast.expr]) -> Iterator[str]:
    for value in values:
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield value.value
