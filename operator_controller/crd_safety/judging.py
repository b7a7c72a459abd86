"""The verdict on one definition: what blocks its upgrade, in the words of the specification.

The way in for the reconciler and for `olm crd-check`. Rule: applying.md 5, 8 and 10 (rows 12, 20 to 22).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from operator_controller.crd_safety.accepting import REMOVAL, Accepted
from operator_controller.crd_safety.checks import FIELD_REMOVAL, ONE_OF, PRUNING, TYPE, UNHANDLED
from operator_controller.crd_safety.compare import STORED_OBJECTS, compare
from operator_controller.crd_safety.definition import Definition, definition_of
from operator_controller.crd_safety.findings import Finding, Remark, Risk, Stage
from operator_controller.crd_safety.schemas import ROOT, is_below
from operator_controller.crd_safety.stored import Harm, HarmKind, Stored

__all__ = ["CrdVerdict", "Judged", "ObjectsToRead", "Outcome", "failure_of", "judge", "objects_to_read"]

NO_ENFORCEMENT = "None"
_NAMES_SHOWN = 5
# Their trouble shows anywhere below the place that they are about, that of the others right there.
_WIDE_CHECKS = frozenset({FIELD_REMOVAL, TYPE, ONE_OF, UNHANDLED, PRUNING, STORED_OBJECTS})


class Outcome(StrEnum):
    """What became of a finding."""

    HARMLESS = "harmless"
    ACCEPTED = "accepted"
    BREAKS = "breaks"
    """Whatever is stored."""
    HARMS = "harms"
    """Objects that are stored."""
    UNKNOWN = "unknown"
    """It depends on stored objects that could not be asked."""

    @property
    def is_blocking(self) -> bool:
        """Whether the upgrade must not go on."""
        return self in (Outcome.BREAKS, Outcome.HARMS, Outcome.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding with its outcome; `count` objects are concerned, of which the first hundred are named.

    `note` says what stored objects say about it, for people; empty when they were not asked.
    """

    finding: Finding
    outcome: Outcome
    count: int = 0
    names: tuple[str, ...] = ()
    note: str = ""

    @property
    def line(self) -> str:
        """The specified text, and the note behind it."""
        return f"{self.finding.line} ({self.note})" if self.note else self.finding.line


@dataclass(frozen=True, slots=True)
class CrdVerdict:
    """`failure` is the whole message of one definition, `None` when its upgrade may go on.

    `findings` are sorted. `unused` are accepted ids that no finding has. `warnings` are sentences about both: what was
    accepted, and what accepts nothing.
    """

    crd: str
    findings: tuple[Judged, ...] = ()
    failure: str | None = None
    warnings: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ObjectsToRead:
    """The objects that a verdict depends on, and in which version to ask for them.

    `metadata_only`: nothing but their names is needed.
    """

    group: str
    version: str
    plural: str
    kind: str
    is_namespaced: bool
    metadata_only: bool = False


def judge(
    old: object | None,
    new: object | None,
    enforcement: str | None = None,
    accepted: Accepted = Accepted(),  # noqa: B008 - a frozen value
    stored: Stored | None = None,
) -> CrdVerdict:
    """Judge the way from one definition to the next; both are CustomResourceDefinitions as JSON, `None` for none.

    `enforcement` is `spec.install.preflight.crdUpgradeSafety.enforcement`; absent is `Strict`. `stored` is `None` when
    the objects were not read: then everything that depends on them blocks. Never raises.
    """
    if old is None:
        return CrdVerdict(definition_of(new).name)
    before = definition_of(old)
    if enforcement == NO_ENFORCEMENT:
        return CrdVerdict(before.name)
    if new is None:
        judged = [_judged_removal(before, stored)]
    else:
        judged = _judged_changes(before.name, compare(before, definition_of(new)), stored)
    findings = tuple(_accepted(each, accepted) for each in judged)
    lines = [each.line for each in findings if each.outcome.is_blocking]
    failure = f'validating upgrade for CRD "{before.name}": ' + "\n".join(lines) if lines else None
    unused = accepted.unused((each.finding for each in findings), (before.name,))
    return CrdVerdict(before.name, findings, failure, tuple(_warnings(before.name, findings, unused)), unused)


def failure_of(verdicts: Iterable[CrdVerdict]) -> str | None:
    """The failures of several definitions, by name, one below the other; `None` without any."""
    found = [each.failure for each in sorted(verdicts, key=lambda each: each.crd) if each.failure is not None]
    return "\n".join(found) or None


def objects_to_read(old: object | None, new: object | None, enforcement: str | None = None) -> ObjectsToRead | None:
    """Which stored objects `judge` needs to know of; `None` when the verdict does not depend on any.

    Also `None` when no version is served, so that nobody can read them.
    """
    if old is None or enforcement == NO_ENFORCEMENT:
        return None
    before = definition_of(old)
    version = before.readable
    if version is None:
        return None
    if new is not None:
        findings = compare(before, definition_of(new))
        if not any(each.risk is Risk.NEEDS_DATA for each in findings):
            return None
    return ObjectsToRead(
        before.group, version.name, before.plural, before.kind, before.scope != "Cluster", metadata_only=new is None
    )


def _judged_removal(old: Definition, stored: Stored | None) -> Judged:
    if stored is None or not (stored.count or stored.is_complete):
        text = f"objects of kind {old.kind} would be lost, how many is not known"
    elif stored.is_complete:
        text = f"{_objects(stored.count)} of kind {old.kind} would be lost"
    else:
        text = f"more than {stored.count} objects of kind {old.kind} would be lost"
    finding = Finding(old.name, Stage.DEFINITION, "", "", ROOT, Remark(REMOVAL, text, Risk.NEEDS_DATA))
    if stored is None:
        return Judged(finding, Outcome.UNKNOWN)
    if not stored.count and stored.is_complete:
        return Judged(finding, Outcome.HARMLESS)
    outcome = Outcome.HARMS if stored.count else Outcome.UNKNOWN
    return Judged(finding, outcome, stored.count, stored.names, _names(stored.names, stored.count))


def _judged_changes(crd: str, findings: Iterable[Finding], stored: Stored | None) -> list[Judged]:
    judged = [_judged(each, stored) for each in findings]
    if stored is None:
        return judged
    concerning = [each.finding for each in judged if each.outcome is not Outcome.HARMLESS]
    left = [harm for harm in stored.harms if not any(_is_about(each, harm) for each in concerning)]
    unexplained = [_judged(_unexplained(crd, harm), stored) for harm in left]
    return sorted([*judged, *unexplained], key=lambda each: each.finding.order)


def _unexplained(crd: str, harm: Harm) -> Finding:
    remark = Remark(STORED_OBJECTS, f"{harm.kind}: {harm.detail}", Risk.NEEDS_DATA)
    return Finding(crd, Stage.SAME_VERSION, harm.version, harm.path, harm.path, remark)


def _judged(finding: Finding, stored: Stored | None) -> Judged:
    if finding.risk is Risk.SAFE:
        return Judged(finding, Outcome.HARMLESS)
    harms = [] if stored is None else [each for each in stored.harms if _is_about(finding, each)]
    if harms:
        worst = max(harms, key=lambda each: (each.kind is HarmKind.LOSS, each.count))
        outcome = Outcome.HARMS if finding.risk is Risk.NEEDS_DATA else Outcome.BREAKS
        note = f"{_objects(worst.count)} {worst.kind}: {_names(worst.names, worst.count)}"
        return Judged(finding, outcome, worst.count, worst.names, note)
    if finding.risk is Risk.BREAKING:
        return Judged(finding, Outcome.BREAKS)
    if stored is None:
        return Judged(finding, Outcome.UNKNOWN)
    return _judged_unharmed(finding, stored)


def _judged_unharmed(finding: Finding, stored: Stored) -> Judged:
    """No object is known to suffer: either because none does, or because nobody could tell."""
    if not stored.is_complete:
        return Judged(finding, Outcome.UNKNOWN, note=f"only {_objects(stored.count)} could be looked at")
    is_decided = finding.remark.is_decidable and not _is_undecided(finding, stored)
    if is_decided or not stored.count:
        note = f"none of {_objects(stored.count)}" if stored.count else "there are no objects"
        return Judged(finding, Outcome.HARMLESS, note=note)
    note = f"whether it harms {_objects(stored.count)} cannot be told"
    return Judged(finding, Outcome.UNKNOWN, stored.count, stored.names, note)


def _is_about(finding: Finding, harm: Harm) -> bool:
    if finding.target not in ("", harm.version):
        return False
    is_wide = finding.check in _WIDE_CHECKS or finding.path not in ("", finding.place)
    return is_below(harm.path, finding.place) if is_wide else harm.path == finding.place


def _is_undecided(finding: Finding, stored: Stored) -> bool:
    if not finding.target:
        return any(path == ROOT for _, path in stored.undecided)
    return any((finding.target, path) in stored.undecided for path in (ROOT, finding.place))


def _accepted(judged: Judged, accepted: Accepted) -> Judged:
    if judged.outcome.is_blocking and accepted.covers(judged.finding):
        return Judged(judged.finding, Outcome.ACCEPTED, judged.count, judged.names, judged.note)
    return judged


def _warnings(crd: str, findings: Iterable[Judged], unused: Iterable[str]) -> Iterator[str]:
    for each in findings:
        if each.outcome is Outcome.ACCEPTED:
            yield f'CRD "{crd}": accepted: {each.line}'
    for name in unused:
        yield f'CRD "{crd}": "{name}" is accepted, but there is no such finding'


def _objects(count: int) -> str:
    return f"{count} {'object' if count == 1 else 'objects'}"


def _names(names: tuple[str, ...], count: int) -> str:
    shown = ", ".join(names[:_NAMES_SHOWN])
    return f"{shown} and {count - _NAMES_SHOWN} more" if count > _NAMES_SHOWN else shown
