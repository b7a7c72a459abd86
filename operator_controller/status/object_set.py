"""The status of a ClusterObjectSet: one function per condition. Rule: revisions.md 6.2 and 9 rows 12 and 13."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from olmv1.api.names import ANNOTATION_BUNDLE_VERSION, LABEL_MIGRATED_FROM_HELM
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, condition_of, is_true, stamp_all
from olmv1.errors import TerminalError
from olmv1.manifests import Manifest, annotations_of, labels_of
from operator_controller.outcome.object_set import ObjectReport, ObjectSetOutcome
from operator_controller.revisions.deadline import started_phases
from operator_controller.status.paused import paused
from operator_controller.status.readiness import READINESS, readiness

__all__ = ["collision_text", "object_set_status"]

_LISTED_OBJECTS = 20
"""Failing objects that a message names; the rest is counted."""


def object_set_status(object_set: Manifest, seen: ObjectSetOutcome, now: datetime) -> dict[str, Any]:
    """The whole `status` to store for a revision; foreign conditions of it are kept."""
    before = object_set.get("status") or {}
    progress, health = progressing(object_set, seen), available(object_set, seen)
    summary = readiness(progress, health, has_succeeded=is_true(object_set, ConditionType.SUCCEEDED))
    optional = (health, succeeded(object_set, seen), *summary)
    wanted = [progress, *(item for item in optional if item is not None)]
    gone = READINESS - {item.type for item in wanted}
    current = [item for item in before.get("conditions") or () if item.get("type") not in gone]
    generation = object_set["metadata"].get("generation") or 0
    status = {**before, "conditions": stamp_all(wanted, current, generation, now), "observedGeneration": generation}
    if seen.observed_phases and not before.get("observedPhases"):
        status["observedPhases"] = [{"name": name, "digest": digest} for name, digest in seen.observed_phases]
    if started := started_phases(object_set, (phase.name for phase in seen.phases), now):
        status["startedPhases"] = list(started)
    return status


def progressing(object_set: Manifest, seen: ObjectSetOutcome) -> Condition:
    """Where the rollout (or the teardown of an archived revision) stands."""
    if seen.is_paused:
        return paused()
    status, reason, text = _progress(object_set, seen)
    if seen.is_overdue and not _has_progressed(object_set, seen) and reason in (Reason.ROLLING_OUT, Reason.RETRYING):
        minutes = object_set["spec"].get("progressDeadlineMinutes")
        text = f"Revision has not rolled out for {minutes} minute(s). Last status: {text}"
        return Condition(ConditionType.PROGRESSING, "False", Reason.PROGRESS_DEADLINE_EXCEEDED, text)
    return Condition(ConditionType.PROGRESSING, "True" if status else "False", reason, text)


def available(object_set: Manifest, seen: ObjectSetOutcome) -> Condition | None:
    """Whether the objects are healthy; `None` while an error hides it and nothing was known before."""
    if seen.is_torn_down:
        return Condition(ConditionType.AVAILABLE, "Unknown", Reason.ARCHIVED, "revision is archived")
    if seen.failure is not None:
        if condition_of(object_set, ConditionType.AVAILABLE) is None:
            return None
        return Condition(ConditionType.AVAILABLE, "Unknown", Reason.RECONCILING, str(seen.failure))
    if seen.is_tearing_down or seen.is_paused:
        return _kept(object_set, ConditionType.AVAILABLE)
    if seen.is_complete:
        text = "Objects are available and pass all probes."
        return Condition(ConditionType.AVAILABLE, "True", Reason.PROBES_SUCCEEDED, text)
    if seen.failing:
        return Condition(ConditionType.AVAILABLE, "False", Reason.PROBE_FAILURE, _failing_text(seen))
    return Condition(ConditionType.AVAILABLE, "False", Reason.ROLLING_OUT, _rolling_text(object_set))


def succeeded(object_set: Manifest, seen: ObjectSetOutcome) -> Condition | None:
    """Set at the first completion and never removed."""
    if is_true(object_set, ConditionType.SUCCEEDED):
        return _kept(object_set, ConditionType.SUCCEEDED)
    is_first_success = seen.is_complete and not seen.is_handed_over
    if is_first_success and not seen.is_tearing_down and not seen.is_torn_down:
        is_migrated = LABEL_MIGRATED_FROM_HELM in labels_of(object_set)
        text = "Revision succeeded - migrated from Helm release" if is_migrated else "Revision succeeded rolling out."
        return Condition(ConditionType.SUCCEEDED, "True", Reason.SUCCEEDED, text)
    return None


def collision_text(seen: ObjectSetOutcome) -> str | None:
    """The report of the first phase with objects that somebody else owns, or `None`."""
    for phase in seen.phases:
        if phase.collisions:
            reports = "\n\n".join(_report(report) for report in phase.collisions)
            where = "".join(f"\n\n{line}" for line in _stop(seen))
            return f"revision object collisions in phase {phase.index}\n{reports}{where}"
    return None


def _has_progressed(object_set: Manifest, seen: ObjectSetOutcome) -> bool:
    """Whether the pass came to a phase that none before had reached."""
    listed = {phase["name"] for phase in (object_set.get("status") or {}).get("startedPhases") or ()}
    return any(phase.name not in listed for phase in seen.phases)


def _progress(object_set: Manifest, seen: ObjectSetOutcome) -> tuple[bool, str, str]:
    if seen.is_torn_down:
        return False, Reason.ARCHIVED, "revision is archived"
    if isinstance(seen.failure, TerminalError):
        return False, seen.failure.reason, str(seen.failure)
    if seen.failure is not None:
        return True, Reason.RETRYING, str(seen.failure)
    if seen.is_tearing_down:
        return True, Reason.RETRYING, _teardown_text(seen)
    if (collisions := collision_text(seen)) is not None:
        return True, Reason.RETRYING, collisions
    if (contests := _contests_text(seen)) is not None:
        return True, Reason.RETRYING, contests
    version = annotations_of(object_set).get(ANNOTATION_BUNDLE_VERSION, "")
    has_succeeded = is_true(object_set, ConditionType.SUCCEEDED)
    if seen.is_complete and (has_succeeded or not seen.is_handed_over):
        return True, Reason.SUCCEEDED, f"Revision {version} has rolled out."
    return True, Reason.ROLLING_OUT, _rolling_text(object_set)


def _contests_text(seen: ObjectSetOutcome) -> str | None:
    """The objects that do not stay as they are made, or `None`."""
    found = [report for phase in seen.phases for report in phase.objects if report.contest]
    lines = [f"Object {report.key}: {report.contest}" for report in found]
    return "\n".join(_bounded(lines)) if lines else None


def _bounded(lines: list[str]) -> list[str]:
    rest = len(lines) - _LISTED_OBJECTS
    return [*lines[:_LISTED_OBJECTS], f"and {rest} more objects"] if rest > 0 else lines


def _teardown_text(seen: ObjectSetOutcome) -> str:
    text = "removing revision resources that are not owned by another revision"
    if not seen.waiting_for:
        return text
    lines = [f"Object {key}: is being deleted" for key in seen.waiting_for]
    return "\n".join([text, *_bounded(lines)])


def _rolling_text(object_set: Manifest) -> str:
    return f"Revision {annotations_of(object_set).get(ANNOTATION_BUNDLE_VERSION, '')} is rolling out."


def _failing_text(seen: ObjectSetOutcome) -> str:
    lines = _bounded([_failing_line(report, seen.pods.get(report.key, ())) for report in seen.failing])
    return "\n".join([*lines, *_stop(seen)])


def _stop(seen: ObjectSetOutcome) -> Iterator[str]:
    """Where a rollout stands that has phases to come. Rule: revisions.md 9 row 12."""
    reached = len(seen.phases)
    if 0 < reached < seen.phase_count:
        yield f'The rollout waits in phase "{seen.phases[-1].name}" ({reached} of {seen.phase_count}).'


def _failing_line(report: ObjectReport, pods: tuple[str, ...]) -> str:
    line = f"Object {report.key}: {_why(report)}"
    return f"{line}: {'; '.join(pods)}" if pods else line


def _why(report: ObjectReport) -> str:
    return report.detail or " and ".join(report.probe.messages) or report.action.value


def _report(report: ObjectReport) -> str:
    state = {"True": "Succeeded", "False": "Failed", "Unknown": "Unknown"}[report.probe.truth]
    probes = "".join(f"\n  - {message}" for message in report.probe.messages)
    lines = [f"Object {report.key}", f'Action: "{report.action.value}"', f"Probes:\n- Progress: {state}{probes}"]
    return "\n".join([*lines, report.detail] if report.detail else lines)


def _kept(object_set: Manifest, type_: str) -> Condition | None:
    before = condition_of(object_set, type_)
    if before is None:
        return None
    return Condition(type_, before["status"], str(before["reason"]), str(before.get("message") or ""))
