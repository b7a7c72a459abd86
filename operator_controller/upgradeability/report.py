"""The verdicts of all extensions as one condition, in the words that the platform makes of it.

Rule: upgradeable.md 3.5, 3.6 and 6.4; 7 row 12 for the length.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from olmv1.conditions import Condition, Truth
from operator_controller.upgradeability.cluster_version import CurrentVersion
from operator_controller.upgradeability.verdict import Verdict, VerdictKind
from operator_controller.upgradeability.words import PlatformCondition, PlatformReason

__all__ = ["LIMIT", "Report", "report_of"]

LIMIT = 32768
"""Characters of a message; entries beyond it are counted, not listed."""

_FOLDED = "InstalledOLMOperators"
_TYPE = PlatformCondition.INSTALLED_OPERATORS_UPGRADEABLE


@dataclass(frozen=True, slots=True)
class Report:
    """What is reported: `reason` and `message` without the platform's prefixes.

    `is_upgradeable` is `None` when the version of the cluster is unknown.
    """

    is_upgradeable: bool | None
    reason: str
    message: str

    @property
    def olm_condition(self) -> Condition:
        """`InstalledOLMOperatorsUpgradeable` of the OLM object, which the platform folds by itself."""
        return Condition(_TYPE, self._status, self.reason, self.message)

    @property
    def operator_condition(self) -> Condition:
        """`Upgradeable` of the ClusterOperator, folded as the platform would."""
        if self.is_upgradeable:
            return Condition(PlatformCondition.UPGRADEABLE, "True", PlatformReason.AS_EXPECTED, "All is well")
        lines = "\n".join(f"{_TYPE}: {line}" for line in self.message.split("\n"))
        return Condition(PlatformCondition.UPGRADEABLE, self._status, f"{_FOLDED}_{self.reason}", lines)

    @property
    def _status(self) -> Truth:
        if self.is_upgradeable is None:
            return "Unknown"
        return "True" if self.is_upgradeable else "False"


def report_of(verdicts: Mapping[str, Verdict], current: CurrentVersion) -> Report:
    """The report on all extensions; `verdicts` by the name of the extension."""
    if current.minor is None:
        return Report(None, PlatformReason.VERSION_UNKNOWN, current.problem)
    ordered = sorted(verdicts.items())
    blocking = [
        f'bundle "{verdict.bundle.name}" for ClusterExtension "{name}"'
        for name, verdict in ordered
        if verdict.kind is VerdictKind.INCOMPATIBLE
    ]
    errors = [line for name, verdict in ordered for line in _error_lines(name, verdict)]
    if blocking:
        head = (
            "Found ClusterExtensions that require upgrades prior to upgrading cluster to version "
            f"{current.minor.next}: "
        )
        text = head + _listed(sorted(blocking), LIMIT // 2) + "."
        if errors:
            text += "\n Additionally the following errors were encountered while getting extension metadata: " + _cut(
                "\n".join(errors)
            )
        return Report(False, PlatformReason.INCOMPATIBLE, text)
    if errors:
        return Report(False, PlatformReason.UNREADABLE, _cut("\n".join(errors)))
    return Report(True, "", "")


def _error_lines(name: str, verdict: Verdict) -> Iterator[str]:
    if verdict.kind in (VerdictKind.INVALID, VerdictKind.UNKNOWN):
        several = "error" if verdict.message.startswith("could not convert") else "error(s)"
        yield f"{several} with cluster extension {name}: error in bundle {verdict.bundle.name}: {verdict.message}"


def _listed(entries: list[str], limit: int) -> str:
    kept, size = 0, 0
    for entry in entries:
        size += len(entry) + 1
        if size > limit:
            break
        kept += 1
    omitted = len(entries) - kept
    return ",".join(entries[:kept]) + (f" and {omitted} more" if omitted else "")


def _cut(text: str) -> str:
    limit = LIMIT // 2
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
