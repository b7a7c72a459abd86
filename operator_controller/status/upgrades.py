"""`status.availableUpgrades`: where the installed bundle could go in one step, an extra of ours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from olmv1.versions import VersionRelease
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.resolver import Upgrade, Upgrades
from operator_controller.revisions.view import RevisionView

__all__ = ["with_upgrades"]

_FIELD = "availableUpgrades"
_LISTED, _LONGEST = 10, 1024
"""The limits of the CRD: entries, and characters of a text in them. Without them the whole status would be refused."""


def with_upgrades(status: Mapping[str, Any], seen: ExtensionOutcome) -> dict[str, Any]:
    """`status` with the newest upgrades, at most ten; without the field when there are none.

    What a catalog offered that cannot be asked now stays, as long as it is newer than what is installed, so that a
    catalog that is away for a moment changes nothing.
    """
    if seen.revisions is None:
        return dict(status)
    kept = {key: value for key, value in status.items() if key != _FIELD}
    if seen.installed is None:
        return kept
    fresh = {each.bundle: each for each in (seen.upgrades or Upgrades()).offered}
    remembered = {each.bundle: each for each in _remembered(status, seen, seen.installed)}
    fitting = [each for each in {**remembered, **fresh}.values() if _fits(each)]
    by_name = sorted(fitting, key=lambda each: each.bundle)
    newest_first = sorted(by_name, key=lambda each: each.version.key, reverse=True)
    listed = [_entry(each) for each in newest_first[:_LISTED]]
    return {**kept, _FIELD: listed} if listed else kept


def _remembered(status: Mapping[str, Any], seen: ExtensionOutcome, installed: RevisionView) -> Iterator[Upgrade]:
    base = _version(installed.bundle.version, installed.bundle.release)
    for entry in status.get(_FIELD) or ():
        catalog, version = str(entry.get("catalog") or ""), _version(str(entry["version"]), entry.get("release"))
        is_unknown = seen.upgrades is None or catalog in seen.upgrades.unusable
        if is_unknown and base is not None and version is not None and version > base:
            yield Upgrade(str(entry["bundle"]), version, catalog)


def _version(text: str, release: str | None) -> VersionRelease | None:
    try:
        return VersionRelease.parse(text, release)
    except ValueError:
        return None


def _fits(upgrade: Upgrade) -> bool:
    return max(len(upgrade.bundle), len(str(upgrade.version))) <= _LONGEST


def _entry(upgrade: Upgrade) -> dict[str, Any]:
    release = upgrade.version.release
    return {
        "bundle": upgrade.bundle,
        "version": str(upgrade.version.version),
        **({} if release is None else {"release": str(release)}),
        **({"catalog": upgrade.catalog} if upgrade.catalog else {}),
    }
