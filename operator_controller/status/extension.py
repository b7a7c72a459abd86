"""The status of a ClusterExtension: one function per condition. Rule: clusterextension.md 5 and 6, revisions.md 7.3."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from olmv1.api.names import FINALIZER_CONTENT_MANAGER
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, condition_of, stamp_all
from olmv1.errors import OlmError, TerminalError
from olmv1.manifests import Manifest, is_deleting, name_of
from operator_controller.outcome.extension import ExtensionOutcome, PreconditionError
from operator_controller.revisions.view import RevisionView
from operator_controller.status.deprecation import deprecations
from operator_controller.status.paused import paused
from operator_controller.status.readiness import READINESS, readiness
from operator_controller.status.upgrades import with_upgrades

__all__ = ["deletion_status", "extension_status", "held_deletion_status", "teardown_problems"]

_LISTED_PROBLEMS = 5
_TEARDOWN_PATIENCE_S = 2.0
_OPTIONAL = frozenset(
    {
        ConditionType.AVAILABLE,
        ConditionType.DEPENDENCIES_SATISFIED,
        ConditionType.CLUSTER_UPGRADEABLE,
        ConditionType.UPGRADE_PENDING,
        *READINESS,
    }
)
"""Conditions of ours that are there only while there is something to say."""


def extension_status(ext: Manifest, seen: ExtensionOutcome, now: datetime) -> dict[str, Any]:
    """The whole `status` to store for `ext`; foreign conditions and fields of it are kept."""
    before = ext.get("status") or {}
    progress, health = progressing(seen), available(seen)
    is_all = seen.installed is not None and not seen.rolling
    summary = readiness(progress, health, _rolling(seen), has_succeeded=is_all)
    found = (health, seen.dependencies, _upgradeable(seen), seen.pending, *summary)
    optional = [item for item in found if item is not None]
    wanted = [*deprecations(ext, seen), installed(seen), progress, *optional]
    said = {item.type for item in optional}
    if not seen.are_dependencies_known:
        said.add(ConditionType.DEPENDENCIES_SATISFIED)
    if not seen.is_approval_known:
        said.add(ConditionType.UPGRADE_PENDING)
    listed = before.get("conditions") or ()
    current = [item for item in listed if item.get("type") not in _OPTIONAL or item.get("type") in said]
    if seen.handled_request is not None:
        before = {**before, "lastHandledRequestedAt": seen.handled_request}
    generation = ext["metadata"].get("generation") or 0
    status = {**before, "conditions": stamp_all(wanted, current, generation, now), "observedGeneration": generation}
    return with_upgrades(_with_revisions(status, seen), seen)


def deletion_status(ext: Manifest, problems: Sequence[str], now: datetime) -> dict[str, Any]:
    """The whole `status` of an extension that cannot go yet: why, and the rest as it was. Rule: 4.1."""
    lines = [problem.strip().partition("\n")[0] for problem in problems]
    listed = lines[:_LISTED_PROBLEMS]
    if len(lines) > _LISTED_PROBLEMS:
        listed.append(f"and {len(lines) - _LISTED_PROBLEMS} more revisions")
    text = f'finalizer "{FINALIZER_CONTENT_MANAGER}" failed: ' + "\n".join(listed)
    return _leaving(ext, Condition(ConditionType.PROGRESSING, "True", Reason.RETRYING, text), now)


def held_deletion_status(ext: Manifest, text: str, now: datetime) -> dict[str, Any]:
    """The whole `status` of an extension that a person has to let go: why, and the rest as it was."""
    return _leaving(ext, Condition(ConditionType.PROGRESSING, "False", Reason.BLOCKED, text), now)


def teardown_problems(object_sets: Iterable[Manifest], now: datetime) -> tuple[str, ...]:
    """What the sets say that have been on their way out for longer than a pass of theirs takes."""
    return tuple(
        f'revision "{name_of(item)}": {_teardown_text(item)}'
        for item in object_sets
        if is_deleting(item)
        and (now - datetime.fromisoformat(item["metadata"]["deletionTimestamp"])).total_seconds() > _TEARDOWN_PATIENCE_S
    )


def installed(seen: ExtensionOutcome) -> Condition:
    """Whether something is installed, also while a later upgrade fails. Rule: 5.1; `Absent` until an attempt failed."""
    if isinstance(seen.failure, PreconditionError) or seen.revisions is None:
        return Condition(ConditionType.INSTALLED, "Unknown", Reason.FAILED, _text(seen.failure))
    if (revision := seen.installed) is not None:
        text = f"Installed bundle {revision.bundle.image} successfully"
        return Condition(ConditionType.INSTALLED, "True", Reason.SUCCEEDED, text)
    last = seen.rolling[-1].progressing if seen.rolling else None
    has_failed = seen.failure is not None or (last is not None and last.get("reason") == Reason.RETRYING)
    reason = Reason.FAILED if has_failed else Reason.ABSENT
    return Condition(ConditionType.INSTALLED, "False", reason, "No bundle installed")


def progressing(seen: ExtensionOutcome) -> Condition:
    """Where the extension stands on its way to its spec. Rule: 5.2, 15 row 19."""
    if seen.is_paused:
        return paused()
    match seen.failure:
        case TerminalError() as error:
            return Condition(ConditionType.PROGRESSING, "False", error.reason, str(error))
        case OlmError() as error:
            return Condition(ConditionType.PROGRESSING, "True", Reason.RETRYING, str(error))
    newest = seen.rolling[-1] if seen.rolling else seen.installed
    if newest is None:
        return Condition(ConditionType.PROGRESSING, "True", Reason.ROLLING_OUT, "No revision is rolling out yet.")
    return _mirrored(newest)


def available(seen: ExtensionOutcome) -> Condition | None:
    """The health of what is installed, not of what is rolling out; `None` before the first success. Rule: 5.4."""
    revision = seen.installed
    if revision is None or revision.available is None:
        return None
    return _copied(ConditionType.AVAILABLE, revision.available)


def _rolling(seen: ExtensionOutcome) -> Condition | None:
    """The health of the newest revision that is rolling out."""
    theirs = seen.rolling[-1].available if seen.rolling else None
    return None if theirs is None else _copied(ConditionType.AVAILABLE, theirs)


def _leaving(ext: Manifest, progressing: Condition, now: datetime) -> dict[str, Any]:
    before = ext.get("status") or {}
    wanted = [progressing, *readiness(progressing, None)]
    gone = READINESS - {item.type for item in wanted}
    current = [item for item in before.get("conditions") or () if item.get("type") not in gone]
    return {**before, "conditions": stamp_all(wanted, current, ext["metadata"].get("generation") or 0, now)}


def _upgradeable(seen: ExtensionOutcome) -> Condition | None:
    return None if seen.upgradeable is None else seen.upgradeable.condition


def _mirrored(revision: RevisionView) -> Condition:
    theirs = revision.progressing
    if theirs is None:
        text = f"Revision {revision.bundle.version} is rolling out."
        return Condition(ConditionType.PROGRESSING, "True", Reason.ROLLING_OUT, text)
    if theirs.get("reason") == Reason.SUCCEEDED:
        return Condition(ConditionType.PROGRESSING, "True", Reason.SUCCEEDED, "Desired state reached")
    return _copied(ConditionType.PROGRESSING, theirs)


def _copied(type_: str, theirs: Mapping[str, Any]) -> Condition:
    return Condition(type_, theirs["status"], str(theirs["reason"]), str(theirs.get("message") or ""))


def _teardown_text(object_set: Manifest) -> str:
    """The words of the set, once they are about its end."""
    theirs = condition_of(object_set, ConditionType.PROGRESSING) or {}
    is_about_rollout = theirs.get("reason") in (None, Reason.SUCCEEDED, Reason.ROLLING_OUT)
    return "is being deleted" if is_about_rollout else str(theirs.get("message"))


def _text(failure: OlmError | None) -> str:
    return str(failure) if failure is not None else "revisions could not be read"


def _with_revisions(status: dict[str, Any], seen: ExtensionOutcome) -> dict[str, Any]:
    """`install` and `activeRevisions`; both stay as they were when the revisions were not read."""
    if seen.revisions is None or isinstance(seen.failure, PreconditionError):
        return status
    kept = {key: value for key, value in status.items() if key not in ("install", "activeRevisions")}
    revision = seen.installed
    if revision is not None:
        bundle = {"name": revision.bundle.name, "version": revision.bundle.version}
        if revision.bundle.release is not None:
            bundle["release"] = revision.bundle.release
        kept["install"] = {"bundle": bundle}
        if revision.bundle.catalog is not None:
            kept["install"]["catalog"] = revision.bundle.catalog
    listed = _active_revisions(revision, seen.rolling)
    return {**kept, "activeRevisions": listed} if listed else kept


def _active_revisions(base: RevisionView | None, rolling: Sequence[RevisionView]) -> list[dict[str, Any]]:
    listed: list[dict[str, Any]] = [] if base is None else [{"name": base.name}]
    for revision in rolling:
        conditions = [dict(item) for item in (revision.available, revision.progressing) if item is not None]
        listed.append({"name": revision.name, "conditions": conditions} if conditions else {"name": revision.name})
    return listed
