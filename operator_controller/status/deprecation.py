"""The four deprecation conditions. Rule: clusterextension.md 5.3; without catalog data the last known state stays."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import Condition, condition_of
from olmv1.manifests import Manifest
from operator_controller.outcome.extension import ExtensionOutcome

__all__ = ["deprecations"]

_UNKNOWN_TEXT = "deprecation status unknown: catalog data unavailable"
_BUNDLE = ConditionType.BUNDLE_DEPRECATED


def deprecations(ext: Manifest, seen: ExtensionOutcome) -> Iterator[Condition]:
    """The roll-up, then package, channel and bundle."""
    found = seen.deprecations
    messages = {
        ConditionType.DEPRECATED: (*found.package, *found.channel, *found.bundle) if found else None,
        ConditionType.PACKAGE_DEPRECATED: found.package if found else None,
        ConditionType.CHANNEL_DEPRECATED: found.channel if found else None,
        _BUNDLE: found.bundle if found else None,
    }
    for type_, texts in messages.items():
        if type_ is _BUNDLE and seen.revisions is not None and seen.installed is None:
            yield Condition(type_, "Unknown", Reason.ABSENT, "no bundle installed yet")
        else:
            yield _known(type_, texts) if texts is not None else _unknown(ext, type_)


_SUBJECTS = {
    ConditionType.DEPRECATED: "not deprecated",
    ConditionType.PACKAGE_DEPRECATED: "package not deprecated",
    ConditionType.CHANNEL_DEPRECATED: "channel not deprecated",
    _BUNDLE: "bundle not deprecated",
}


def _known(type_: ConditionType, texts: tuple[str, ...]) -> Condition:
    if texts:
        return Condition(type_, "True", Reason.DEPRECATED, "\n".join(texts))
    return Condition(type_, "False", Reason.NOT_DEPRECATED, _SUBJECTS[type_])


def _unknown(ext: Manifest, type_: ConditionType) -> Condition:
    before = condition_of(ext, type_)
    if before is not None and before.get("status") != "Unknown":
        return Condition(type_, before["status"], str(before["reason"]), str(before.get("message") or ""))
    return Condition(type_, "Unknown", Reason.DEPRECATION_STATUS_UNKNOWN, _UNKNOWN_TEXT)
