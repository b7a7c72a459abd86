"""The bundles of catalogs that would satisfy an unmet leaf, best first. Rule: dependencies.md 9."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from olmv1.constraints import (
    Api,
    ApiRequired,
    Leaf,
    PackageRequired,
    RuleRequired,
    Rules,
    apis_of,
)
from operator_controller.dependencies.facts import Shelf, Shelves
from operator_controller.dependencies.properties import properties_of_blob
from operator_controller.resolver import Candidate as Entry
from operator_controller.resolver import PackageIndex

__all__ = ["Entry", "in_channels", "ordered_shelves", "satisfying"]

_MAX_RULE_BUNDLES: Final = 200
"""Bundles of one package that a rule is asked about: the highest versions, of which a person takes one."""


def ordered_shelves(shelves: Shelves, catalog: str | None) -> list[Shelf]:
    """The catalog that the held bundle came from, then the others by priority, then by name."""
    return sorted(shelves.shelves, key=lambda each: (each.catalog != catalog, -each.priority, each.catalog))


def satisfying(leaf: Leaf, package: PackageIndex, rules: Rules) -> tuple[Entry, ...]:
    """The bundles of the package that satisfy the leaf by themselves, highest version first."""
    readable = [each for each in package.candidates if each.version is not None]
    match leaf:
        case PackageRequired():
            if package.name != leaf.package:
                return ()
            return tuple(each for each in readable if each.version and leaf.range.contains(each.version.version))
        case ApiRequired():
            return tuple(each for each in readable if _provides(each, leaf.api))
        case RuleRequired():
            asked = readable[:_MAX_RULE_BUNDLES]
            ruling = rules.decide(leaf.rule, [properties_of_blob(each.bundle) for each in asked])
            return tuple(each for each, holds in zip(asked, ruling.holds, strict=False) if holds)
    return ()


def in_channels(package: PackageIndex, fitting: tuple[Entry, ...]) -> Iterator[tuple[str, Entry]]:
    """The best fitting bundle of each channel: the default channel first, then by name; deprecated bundles last."""
    names = {name for each in fitting for name in each.channels}
    for name in sorted(names, key=lambda each: (each != package.default_channel, each)):
        members = [each for each in fitting if name in each.channels]
        yield name, min(members, key=lambda each: each.is_deprecated)  # stable: the highest version stays in front


def _provides(entry: Entry, api: Api) -> bool:
    # Most bundles are told apart without reading their properties: the name of the kind is nowhere in them.
    kind = api[2].encode()
    if not any(each.type == "olm.gvk" and kind in bytes(each.value) for each in entry.bundle.properties):
        return False
    return api in apis_of(properties_of_blob(entry.bundle))
