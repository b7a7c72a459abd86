"""Rights as the fewest rules that are easy to read. Rule: rbac.md 5.2, steps 3, 7 and 8."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from operator_controller.authorization.rights import ANY, Right

__all__ = ["GroupedRule", "grouped"]

_Key = TypeVar("_Key", bound=Hashable)
_Texts = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupedRule:
    """One rule of a Role, and the rights in it: exactly the product of its lists."""

    api_groups: _Texts = ()
    resources: _Texts = ()
    resource_names: _Texts = ()
    verbs: _Texts = ()
    non_resource_urls: _Texts = ()
    rights: tuple[Right, ...] = ()

    @property
    def order(self) -> tuple[object, ...]:
        """URLs come last, the others by group, resource and name."""
        return (self.non_resource_urls, self.api_groups, self.resources, self.resource_names, self.verbs)

    def to_rule(self) -> dict[str, Any]:
        """The rule as a manifest has it."""
        lists = {
            "apiGroups": self.api_groups,
            "resources": self.resources,
            "resourceNames": self.resource_names,
            "nonResourceURLs": self.non_resource_urls,
            "verbs": self.verbs,
        }
        return {name: list(values) for name, values in lists.items() if values}


def grouped(rights: Iterable[Right], apart: Callable[[Right], Hashable]) -> tuple[GroupedRule, ...]:
    """Rules that give exactly `rights` of one scope; those for which `apart` differs never share one.

    First the verbs of one resource and name are put together, then names, then resources with all of that alike.
    """
    verbs: dict[tuple[Hashable, Right], list[Right]] = defaultdict(list)
    for right in rights:
        verbs[apart(right), right._replace(verb="")].append(right)
    rules = [(key, _rule(right, found)) for (key, right), found in verbs.items()]
    for part in ("resource_names", "resources"):
        rules = _merged(rules, part)
    return tuple(sorted((rule for _, rule in _merged(rules, "non_resource_urls")), key=lambda rule: rule.order))


def _rule(right: Right, found: Iterable[Right]) -> GroupedRule:
    rights = tuple(sorted(found))
    verbs = {each.verb for each in rights}
    listed = (ANY,) if ANY in verbs else tuple(sorted(verbs))
    if right.url:
        return GroupedRule(verbs=listed, non_resource_urls=(right.url,), rights=rights)
    names = (right.name,) if right.name else ()
    return GroupedRule((right.group,), (right.resource,), names, listed, rights=rights)


def _merged(rules: Iterable[tuple[_Key, GroupedRule]], part: str) -> list[tuple[_Key, GroupedRule]]:
    """Rules that differ in `part` only as one; what has nothing there stays apart from what has something."""
    found: dict[tuple[Any, ...], list[tuple[_Key, GroupedRule]]] = defaultdict(list)
    for key, rule in rules:
        rest = _lists(rule) | {part: bool(getattr(rule, part))}
        found[key, *rest.values()].append((key, rule))
    return [(items[0][0], _union([rule for _, rule in items], part)) for items in found.values()]


def _union(rules: list[GroupedRule], part: str) -> GroupedRule:
    lists = _lists(rules[0])
    lists[part] = tuple(sorted({value for rule in rules for value in getattr(rule, part)}))
    return GroupedRule(**lists, rights=tuple(sorted(right for rule in rules for right in rule.rights)))


def _lists(rule: GroupedRule) -> dict[str, Any]:
    return {
        "api_groups": rule.api_groups,
        "resources": rule.resources,
        "resource_names": rule.resource_names,
        "verbs": rule.verbs,
        "non_resource_urls": rule.non_resource_urls,
    }
