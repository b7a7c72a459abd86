"""What the objects allow to others, before and after: mostly to the operator, by roles and their bindings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from olmv1.manifests import Manifest
from operator_controller.authorization import (
    Grant,
    KindMap,
    MissingRule,
    RbacSnapshot,
    Right,
    RightSet,
    compacted,
    needs_of,
)
from operator_controller.rollout_plan.objects import Change

__all__ = ["Risk", "RuleChange", "rule_changes"]

_RBAC = "rbac.authorization.k8s.io"
_READS = frozenset({"get", "list", "watch", "*"})
_POD_ACCESS = frozenset({"pods/exec", "pods/attach", "pods/portforward", "pods/proxy", "nodes/proxy"})
_ROLES = frozenset({"roles", "clusterroles", "rolebindings", "clusterrolebindings"})


class Risk(StrEnum):
    """Why a right deserves a second look: whoever has it may be able to get others."""

    EVERYTHING = "wildcard"
    """Verbs, resources, groups or URLs that nobody has listed."""
    ESCALATE = "escalate"
    """Giving rights that one does not hold."""
    IMPERSONATE = "impersonate"
    """Acting as somebody else."""
    SECRETS = "secrets"
    """Reading what others log in with."""
    TOKENS = "tokens"
    """Making tokens of accounts."""
    PODS = "pods"
    """Getting into running containers."""
    ROLES = "roles"
    """Changing who may do what."""
    CLUSTER = "cluster-wide"
    """In every namespace, until now in some."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """Rights that come or go, as one rule; `roles` are where they come from, `receivers` who gets them by a binding."""

    change: Change
    rule: MissingRule
    risks: tuple[Risk, ...]
    roles: tuple[str, ...]
    receivers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Source:
    role: str
    receivers: tuple[str, ...]


def rule_changes(old: Sequence[Manifest], new: Sequence[Manifest], rbac: RbacSnapshot) -> tuple[RuleChange, ...]:
    """The rights that come and go; one that a wider right covers already is no change.

    `rbac` knows the roles of the cluster that bindings refer to. A role that no binding gives to anybody counts as it
    stands, because somebody else may bind it.
    """
    before, after = _granted(old, rbac), _granted(new, rbac)
    was, now = RightSet(before), RightSet(after)
    added = [right for right in now.minimal() if not was.covers(right)]
    removed = [right for right in was.minimal() if not now.covers(right)]
    anywhere = RightSet(right._replace(namespace="") for right in before)
    risks = {right: _risks(right, anywhere) for right in added}
    return (*_changes(Change.ADDED, after, risks), *_changes(Change.REMOVED, before, dict.fromkeys(removed, ())))


def _changes(
    change: Change, granted: dict[Right, set[_Source]], risks: dict[Right, tuple[Risk, ...]]
) -> Iterator[RuleChange]:
    """Rights with the same risks from the same places together; those with risks first."""
    groups: defaultdict[tuple[tuple[Risk, ...], frozenset[_Source]], list[Right]] = defaultdict(list)
    for right, found in risks.items():
        groups[found, frozenset(granted[right])].append(right)
    changes = [
        RuleChange(change, rule, found, *_names(sources))
        for (found, sources), rights in groups.items()
        for rule in compacted(rights)
    ]
    yield from sorted(changes, key=lambda each: (not each.risks, str(each.rule), each.roles))


def _names(sources: Iterable[_Source]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = list(sources)
    return (
        tuple(sorted({each.role for each in found})),
        tuple(sorted({name for each in found for name in each.receivers})),
    )


def _granted(objects: Sequence[Manifest], rbac: RbacSnapshot) -> dict[Right, set[_Source]]:
    """Every right that the objects give, with where it comes from."""
    grants = needs_of(objects, KindMap(), rbac).grants
    bound = {_role(each) for each in grants if each.key.kind.endswith("Binding")}
    found: defaultdict[Right, set[_Source]] = defaultdict(set)
    for grant in grants:
        if not grant.key.kind.endswith("Binding") and _role(grant) in bound:
            continue  # it counts where, and to whom, it is given
        for right in grant.rights:
            place = right._replace(namespace="") if right.url else right
            found[place].add(_Source(_role(grant), grant.receivers))
    return found


def _role(grant: Grant) -> str:
    """`ClusterRole lamps`, or `Role shop/lamps`."""
    if grant.instead.resource == "clusterroles":
        return f"ClusterRole {grant.instead.name}"
    return f"Role {grant.key.namespace}/{grant.instead.name}"


def _risks(right: Right, elsewhere: RightSet) -> tuple[Risk, ...]:
    found = [risk for risk, is_meant in _TABLE if is_meant(right)]
    if not right.namespace and not right.url and elsewhere.covers(right):
        found.append(Risk.CLUSTER)
    return tuple(found)


def _is_everything(right: Right) -> bool:
    if right.url:
        return right.verb == "*" or right.url.endswith("*")
    return "*" in (right.verb, right.group) or right.resource.startswith("*")


def _matches(right: Right, group: str, resources: Iterable[str]) -> bool:
    return not right.url and right.group in (group, "*") and (right.resource == "*" or right.resource in resources)


def _may_escalate(right: Right) -> bool:
    return right.verb in ("escalate", "bind", "*") and _matches(right, _RBAC, ("roles", "clusterroles"))


def _may_impersonate(right: Right) -> bool:
    return right.verb in ("impersonate", "*") and (
        _matches(right, "", ("users", "groups", "serviceaccounts"))
        or _matches(right, "authentication.k8s.io", ("uids",))
    )


def _may_read_secrets(right: Right) -> bool:
    return right.verb in _READS and _matches(right, "", ("secrets",))


def _may_make_tokens(right: Right) -> bool:
    return right.verb in ("create", "*") and _matches(right, "", ("serviceaccounts/token",))


def _may_enter_pods(right: Right) -> bool:
    return _matches(right, "", _POD_ACCESS)


def _may_change_roles(right: Right) -> bool:
    return right.verb in ("create", "update", "patch", "*") and _matches(right, _RBAC, _ROLES)


_TABLE = (
    (Risk.EVERYTHING, _is_everything),
    (Risk.ESCALATE, _may_escalate),
    (Risk.IMPERSONATE, _may_impersonate),
    (Risk.SECRETS, _may_read_secrets),
    (Risk.TOKENS, _may_make_tokens),
    (Risk.PODS, _may_enter_pods),
    (Risk.ROLES, _may_change_roles),
)
