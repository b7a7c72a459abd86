"""What the account of an extension must be able to do so that its objects can be applied, repaired and removed.

Exactly what `rollout` does as the account, and nothing else: each object is made and repaired by server-side apply,
which the API server authorizes as `patch` and, when the object is new, as `create`, both with its name; and it is
deleted. Reads and watches are the controller's, and no owner reference blocks a deletion, so neither `get` nor rights
on finalizers are needed. Rule: applying.md 4.3 and 4.5, with 10 rows 15, 17 and 19; architecture section 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest, ObjectKey, key_of, labels_of
from olmv1.selectors import Selector
from operator_controller.authorization.mappings import KindMap
from operator_controller.authorization.rights import EVERYTHING, PolicyRule, Right, rights_in
from operator_controller.authorization.snapshot import RbacSnapshot, RoleRef, rules_of
from operator_controller.revisions.certified import secret_key, serving_secret
from operator_controller.revisions.ownership import is_kept

__all__ = ["Grant", "Needs", "Use", "needs_of"]

_RBAC = "rbac.authorization.k8s.io"
_RBAC_GROUPS = frozenset({_RBAC, "authorization.openshift.io"})  # OpenShift serves the same objects under its own group


@dataclass(frozen=True, slots=True)
class Use:
    """An object and the rights that writing it takes."""

    key: ObjectKey
    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Grant:
    """An object that gives rights to others: the account must hold them, or may have `instead`.

    `instead` is `escalate` on the role, or `bind` on the role that a binding refers to. `is_aggregated`: the rules come
    from roles that are not all known, so the API server wants everything. `is_unknown`: the role of a binding is
    neither among the objects nor on the cluster. `receivers` are the names of those who get the rights by a binding.
    """

    key: ObjectKey
    rights: tuple[Right, ...]
    instead: Right
    is_aggregated: bool = False
    is_unknown: bool = False
    receivers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Needs:
    """Everything that a set of objects takes."""

    uses: tuple[Use, ...] = ()
    grants: tuple[Grant, ...] = ()


def needs_of(objects: Sequence[Manifest], kinds: KindMap, rbac: RbacSnapshot) -> Needs:
    """What applying `objects` takes; roles that are only referred to are looked up in `rbac`.

    Objects of unknown kinds are passed over: `mappings.unmapped` names them.
    """
    known = kinds.with_definitions(objects)
    uses = [_use(manifest, known) for manifest in objects]
    made = [_use({"apiVersion": "v1", "kind": "Secret", "metadata": _metadata(key)}, known) for key in _made(objects)]
    roles = _Roles(objects, rbac)
    grants = [grant for manifest in objects if (grant := _grant(manifest, roles)) is not None]
    return Needs(tuple(use for use in (*uses, *made) if use is not None), tuple(grants))


def _use(manifest: Manifest, kinds: KindMap) -> Use | None:
    key = key_of(manifest)
    mapped = kinds.find(key)
    if mapped is None or (mapped.namespaced and not key.namespace):
        return None
    namespace = key.namespace if mapped.namespaced else ""
    verbs = ("create", "patch") if is_kept(manifest) else ("create", "delete", "patch")
    return Use(key, tuple(Right(namespace, mapped.group, mapped.plural, key.name, verb) for verb in verbs))


def _made(objects: Iterable[Manifest]) -> list[ObjectKey]:
    """The Secrets that the engine makes for the certificates of Services."""
    places = {serving_secret(manifest) for manifest in objects}
    return [secret_key(place) for place in sorted(place for place in places if place is not None)]


def _metadata(key: ObjectKey) -> Mapping[str, str]:
    return {"namespace": key.namespace, "name": key.name}


def _grant(manifest: Manifest, roles: _Roles) -> Grant | None:
    key = key_of(manifest)
    if key.group not in _RBAC_GROUPS:
        return None
    match key.kind:
        case "Role":
            rights = tuple(rights_in(rules_of(manifest), key.namespace))
            return Grant(key, rights, Right(key.namespace, _RBAC, "roles", key.name, "escalate"))
        case "ClusterRole":
            is_aggregated = bool(_selectors(manifest))
            rules = [*rules_of(manifest), *(EVERYTHING if is_aggregated else ())]
            instead = Right("", _RBAC, "clusterroles", key.name, "escalate")
            return Grant(key, tuple(rights_in(rules)), instead, is_aggregated)
        case "RoleBinding":
            return _binding(manifest, key.namespace, roles)
        case "ClusterRoleBinding":
            return _binding(manifest, "", roles)
    return None


def _binding(manifest: Manifest, namespace: str, roles: _Roles) -> Grant:
    ref: Any = manifest.get("roleRef") or {}
    is_role, name = ref.get("kind") == "Role", str(ref.get("name") or "")
    rules = roles.rules(RoleRef(namespace if is_role else "", name))
    instead = Right(namespace, _RBAC, "roles" if is_role else "clusterroles", name, "bind")
    return Grant(
        key_of(manifest),
        tuple(rights_in(rules or (), namespace)),
        instead,
        is_unknown=rules is None,
        receivers=tuple(str(subject.get("name")) for subject in manifest.get("subjects") or ()),
    )


class _Roles:
    """The roles that bindings can refer to: those among the objects, which are applied first, else the cluster's."""

    def __init__(self, objects: Iterable[Manifest], rbac: RbacSnapshot) -> None:
        self._rbac = rbac
        self._own: dict[RoleRef, Manifest] = {}
        for manifest in objects:
            key = key_of(manifest)
            if key.group in _RBAC_GROUPS and key.kind in ("Role", "ClusterRole"):
                self._own[RoleRef(key.namespace if key.kind == "Role" else "", key.name)] = manifest

    def rules(self, ref: RoleRef) -> Sequence[PolicyRule] | None:
        """The rules behind a reference; `None` when there is no such role."""
        role = self._own.get(ref)
        if role is None:
            found = self._rbac.role(ref)
            return None if found is None else rules_of(found)
        return [*rules_of(role), *self._aggregated(role)]

    def _aggregated(self, role: Manifest) -> Iterator[PolicyRule]:
        """The rules that the cluster will gather into `role`."""
        selectors = [Selector.parse(selector) for selector in _selectors(role)]
        own = [each for ref, each in self._own.items() if not ref.namespace]
        for other in (*own, *self._rbac.cluster_roles) if selectors else ():
            if any(selector.matches(labels_of(other)) for selector in selectors):
                yield from rules_of(other)


def _selectors(role: Manifest) -> Sequence[Mapping[str, Any]]:
    selectors = (role.get("aggregationRule") or {}).get("clusterRoleSelectors")
    return selectors if isinstance(selectors, list | tuple) else ()
