"""One right, the smallest part of a policy rule, and which right covers which. Rule: applying.md 4.5, Holds.

A rule is broken down into rights (one verb on one resource of one group, of at most one name; or one verb on one URL),
because each of them is covered by one right of the account or by none. Called by every module of this room.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

__all__ = ["ANY", "EVERYTHING", "PolicyRule", "Right", "RightSet", "rights_in"]

ANY = "*"

PolicyRule = Mapping[str, Any]
"""One entry of `rules` as it stands in a Role: apiGroups, resources, resourceNames, verbs, nonResourceURLs."""

EVERYTHING: Sequence[PolicyRule] = (
    {"apiGroups": [ANY], "resources": [ANY], "verbs": [ANY]},
    {"nonResourceURLs": [ANY], "verbs": [ANY]},
)
"""What an account must hold that sets an aggregation rule."""


class Right(NamedTuple):
    """One verb at one place: a tuple, because a bundle has thousands of them.

    `namespace` is empty for the whole cluster, `name` for every name (also of objects still to be made), `group` for
    the core group. Of a URL only `verb` and `url` are filled.
    """

    namespace: str = ""
    group: str = ""
    resource: str = ""
    name: str = ""
    verb: str = ""
    url: str = ""


def rights_in(rules: Iterable[PolicyRule], namespace: str = "") -> Iterator[Right]:
    """The rights that rules give in a namespace, or in the whole cluster; broken lists of a rule count as empty."""
    for rule in rules:
        verbs, groups, resources = _texts(rule, "verbs"), _texts(rule, "apiGroups"), _texts(rule, "resources")
        for group, resource, name, verb in product(groups, resources, _texts(rule, "resourceNames") or ("",), verbs):
            yield Right(namespace, group, resource, name, verb)
        for url, verb in product(_texts(rule, "nonResourceURLs"), verbs):
            yield Right(namespace, verb=verb, url=url)


class RightSet:
    """Rights that are held, and the question whether they cover another."""

    def __init__(self, rights: Iterable[Right] = ()) -> None:
        self.rights = frozenset(rights)
        self._urls = [right for right in self.rights if right.url.endswith(ANY)]

    def covers(self, right: Right) -> bool:
        """Whether the right is among them, or one that is wider."""
        return right in self.rights or any(True for _ in self.wider(right))

    def wider(self, right: Right) -> Iterator[Right]:
        """Those of them that cover `right` and are not it."""
        if right.url:
            for other in (*self._urls, *(other for other in _general_urls(right) if other in self.rights)):
                if other != right and _covers_url(other, right):
                    yield other
            return
        for other in _general(right):
            if other in self.rights and other != right:
                yield other

    def minimal(self) -> frozenset[Right]:
        """Those of them that no other covers: together they give the same."""
        return frozenset(
            right for right in self.rights if all(_is_kept_before(right, other) for other in self.wider(right))
        )


def _is_kept_before(right: Right, other: Right) -> bool:
    """Whether both cover each other, as `/a*` and `/a**` do, and `right` is the shorter one."""
    return bool(right.url) and _covers_url(right, other) and right < other


def _general(right: Right) -> Iterator[Right]:
    """Every right on resources that covers `right`, itself among them."""
    slash = right.resource.partition("/")
    resources = {right.resource, ANY} | ({f"{ANY}/{slash[2]}"} if slash[1] else set())
    choices = (
        {right.namespace, ""},
        {right.group, ANY},
        resources,
        {right.name, ""},
        {right.verb, ANY},
    )
    return (Right(*chosen) for chosen in product(*choices))


def _general_urls(right: Right) -> Iterator[Right]:
    """The rights on the same URL that cover `right`."""
    for namespace, verb in product({right.namespace, ""}, {right.verb, ANY}):
        yield Right(namespace, verb=verb, url=right.url)


def _covers_url(owner: Right, right: Right) -> bool:
    is_here = owner.namespace in ("", right.namespace) and owner.verb in (ANY, right.verb)
    is_prefix = owner.url.endswith(ANY) and right.url.startswith(owner.url.rstrip(ANY))
    return is_here and (owner.url == right.url or is_prefix)


def _texts(rule: PolicyRule, field: str) -> tuple[str, ...]:
    values = rule.get(field)
    return tuple(map(str, values)) if isinstance(values, list | tuple) else ()
