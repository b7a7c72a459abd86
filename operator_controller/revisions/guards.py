"""Which objects of a revision its own webhooks look at: they are applied after the webhooks.

Only custom resources count. What a webhook server itself is made of (Deployments, Secrets, Roles) comes before it, also
where a rule of the webhook would fit, or neither could ever come up. Rule: docs/decisions/006.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest, ObjectKey, key_of

__all__ = ["guarded_keys"]

_ADMISSION = "admissionregistration.k8s.io"
_WRITES = frozenset({"CREATE", "UPDATE", "*"})
_BUILT_IN = frozenset(
    {
        _ADMISSION,
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "flowcontrol.apiserver.k8s.io",
        "internal.apiserver.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    }
)


@dataclass(frozen=True, slots=True)
class _Definitions:
    """What the CRDs of a revision tell: plurals by group and kind, and the kinds that a webhook converts."""

    plurals: Mapping[tuple[str, str], str]
    converted: frozenset[tuple[str, str]]


def guarded_keys(objects: Sequence[Manifest]) -> frozenset[ObjectKey]:
    """The custom resources among `objects` that a webhook among them is called for when they are written."""
    definitions = _definitions(objects)
    rules = tuple(_rules(objects))
    keys = (key_of(manifest) for manifest in objects)
    return frozenset(key for key in keys if _is_custom(key.group) and _is_guarded(key, definitions, rules))


def _is_guarded(key: ObjectKey, definitions: _Definitions, rules: Iterable[Mapping[str, Any]]) -> bool:
    known = definitions.plurals.get((key.group, key.kind))
    plurals = {known} if known else _likely_plurals(key.kind)
    return (key.group, key.kind) in definitions.converted or any(_fits(rule, key.group, plurals) for rule in rules)


def _is_custom(group: str) -> bool:
    return "." in group and group not in _BUILT_IN


def _definitions(objects: Iterable[Manifest]) -> _Definitions:
    plurals: dict[tuple[str, str], str] = {}
    converted: set[tuple[str, str]] = set()
    for manifest in objects:
        key = key_of(manifest)
        if (key.group, key.kind) != ("apiextensions.k8s.io", "CustomResourceDefinition"):
            continue
        spec = _map(manifest.get("spec"))
        names, kind = _map(spec.get("names")), (str(spec.get("group")), str(_map(spec.get("names")).get("kind")))
        plurals[kind] = str(names.get("plural"))
        if _map(spec.get("conversion")).get("strategy") == "Webhook":
            converted.add(kind)
    return _Definitions(plurals, frozenset(converted))


def _rules(objects: Iterable[Manifest]) -> Iterator[Mapping[str, Any]]:
    """The rules of all webhooks that are called for writes; the version plays no part (`matchPolicy: Equivalent`)."""
    for manifest in objects:
        if key_of(manifest).group == _ADMISSION:
            for webhook in _items(manifest.get("webhooks")):
                yield from (rule for rule in _items(_map(webhook).get("rules")) if _WRITES & _texts(rule, "operations"))


def _fits(rule: Mapping[str, Any], group: str, plurals: set[str]) -> bool:
    groups, resources = _texts(rule, "apiGroups"), _texts(rule, "resources")
    return bool({"*", group} & groups and ({"*", "*/*"} | plurals | {f"{name}/*" for name in plurals}) & resources)


def _likely_plurals(kind: str) -> set[str]:
    """Of a kind whose CRD is not in the revision; one too many only delays an object."""
    name = kind.lower()
    return {name, f"{name}s", f"{name}es", f"{name[:-1]}ies"}


def _texts(rule: Any, field: str) -> frozenset[str]:
    return frozenset(item for item in _items(_map(rule).get(field)) if isinstance(item, str))


def _map(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _items(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else ()
