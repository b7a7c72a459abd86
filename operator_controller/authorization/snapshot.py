"""The RBAC objects of a cluster as one value: who holds what. Rule: applying.md 4.4, 10 row 14.

Made from watched objects, without a request. Only the roles that are bound to the account are looked into, so thousands
of others cost next to nothing. The rules of an aggregated ClusterRole are those that its controller wrote into it,
because the API server decides with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest, labels_of, name_of
from operator_controller.authorization.rights import PolicyRule, RightSet, rights_in

__all__ = ["Account", "RbacSnapshot", "RoleRef", "rules_of", "slim_rbac"]

_SUBJECT_KINDS = frozenset({"User", "Group", "ServiceAccount"})
_KEPT = ("apiVersion", "kind", "rules", "aggregationRule", "roleRef", "subjects")
_Subject = tuple[str, str]
"""Kind (User or Group) and name."""


@dataclass(frozen=True, slots=True)
class Account:
    """A service account, as the API server sees whoever acts as it."""

    namespace: str
    name: str

    @property
    def user(self) -> str:
        """Its user name."""
        return f"system:serviceaccount:{self.namespace}:{self.name}"

    @property
    def groups(self) -> tuple[str, str, str]:
        """The groups that the API server puts every such account into."""
        return ("system:serviceaccounts", f"system:serviceaccounts:{self.namespace}", "system:authenticated")


@dataclass(frozen=True, slots=True, order=True)
class RoleRef:
    """A role by name; `namespace` is empty for a ClusterRole."""

    namespace: str
    name: str


@dataclass(frozen=True, slots=True)
class _Binding:
    namespace: str
    role: RoleRef


class RbacSnapshot:
    """An index over Roles, ClusterRoles and their bindings; objects of other kinds are passed over."""

    def __init__(self, objects: Iterable[Manifest] = ()) -> None:
        self._roles: dict[RoleRef, Manifest] = {}
        self._bound: defaultdict[_Subject, list[_Binding]] = defaultdict(list)
        for manifest in objects:
            match manifest.get("kind"):
                case "Role" | "ClusterRole":
                    self._roles[RoleRef(_namespace_of(manifest), name_of(manifest))] = manifest
                case "RoleBinding" | "ClusterRoleBinding":
                    self._add(manifest)

    def held_by(self, account: Account, *, with_groups: bool = True) -> RightSet:
        """What the account may do; without groups only what is bound to the account itself."""
        subjects = [("User", account.user), *(("Group", name) for name in account.groups if with_groups)]
        bindings = dict.fromkeys(binding for subject in subjects for binding in self._bound.get(subject, ()))
        return RightSet(
            right
            for binding in bindings
            for right in rights_in(rules_of(self._roles.get(binding.role)), binding.namespace)
        )

    def role(self, ref: RoleRef) -> Manifest | None:
        """The role, or `None` when there is none."""
        return self._roles.get(ref)

    @property
    def every_role(self) -> Iterator[Manifest]:
        """Every Role and ClusterRole."""
        return iter(self._roles.values())

    @property
    def cluster_roles(self) -> Iterator[Manifest]:
        """Every ClusterRole."""
        return (role for ref, role in self._roles.items() if not ref.namespace)

    def _add(self, manifest: Manifest) -> None:
        namespace = _namespace_of(manifest)
        ref = manifest.get("roleRef") or {}
        is_role = ref.get("kind") == "Role"
        if is_role and not namespace:
            return  # a ClusterRoleBinding gives ClusterRoles only
        role = RoleRef(namespace if is_role else "", str(ref.get("name") or ""))
        for subject in manifest.get("subjects") or ():
            if (found := _subject(subject, namespace)) is not None:
                self._bound[found].append(_Binding(namespace, role))


def rules_of(role: Manifest | None) -> Sequence[PolicyRule]:
    """The rules in a Role or ClusterRole; none without one."""
    rules = (role or {}).get("rules")
    return [rule for rule in rules if isinstance(rule, Mapping)] if isinstance(rules, list | tuple) else ()


def slim_rbac(obj: Manifest) -> dict[str, Any]:
    """An RBAC object with only what a snapshot looks at, to be kept by a watch."""
    metadata = {
        key: value
        for key, value in (obj.get("metadata") or {}).items()
        if key in ("name", "namespace", "uid", "resourceVersion")
    }
    if obj.get("kind") == "ClusterRole" and labels_of(obj):
        metadata["labels"] = labels_of(obj)
    return {**{key: obj[key] for key in _KEPT if key in obj}, "metadata": metadata}


def _namespace_of(manifest: Manifest) -> str:
    return str((manifest.get("metadata") or {}).get("namespace") or "")


def _subject(subject: Mapping[str, Any], namespace: str) -> _Subject | None:
    """Users and groups by name; an account without a namespace is one of the binding's namespace."""
    kind, name = str(subject.get("kind")), str(subject.get("name") or "")
    if kind not in _SUBJECT_KINDS:
        return None
    if kind != "ServiceAccount":
        return kind, name
    home = str(subject.get("namespace") or namespace)
    return ("User", Account(home, name).user) if home else None
