"""The rights to give to an account, each with its reason and the versions that need it. Rule: rbac.md 5.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from operator_controller.authorization.check import placed
from operator_controller.authorization.needs import Grant, Needs
from operator_controller.authorization.rights import Right, RightSet

__all__ = ["Grants", "Reason", "Section", "Wanted", "wanted_rights"]

_ESCALATE = Right("", "rbac.authorization.k8s.io", "clusterroles", "", "escalate")


class Grants(StrEnum):
    """How an account may give rights to the operator: by holding them itself, or by leave for the exact roles."""

    HOLD = "hold"
    ESCALATE = "escalate"


class Section(StrEnum):
    """What a rule is for: writing the objects, holding what they grant, or leave to grant it without holding it."""

    OBJECTS = "objects"
    GRANTS = "grants"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a right is wanted: the `roles` that grant it, the `receivers`, and the `versions` that need it, in order."""

    section: Section
    roles: frozenset[str]
    receivers: frozenset[str]
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The fewest rights that do, and sentences about what a person should know of them."""

    rights: Mapping[Right, Reason]
    warnings: tuple[str, ...] = ()


def wanted_rights(needs: Iterable[tuple[str, Needs]], grants: Grants) -> Wanted:
    """What an account must have for every version, each a name and its needs."""
    found: dict[Right, Reason] = {}
    warnings: dict[str, None] = {}
    for version, need in needs:
        for right, reason in _reasons(need, grants, version):
            found[right] = _joined(found.get(right), reason)
        warnings |= dict.fromkeys(warning for grant in need.grants for warning in _warnings(grant, grants))
    every = RightSet(found)
    kept = every.minimal()
    result = {right: found[right] for right in sorted(kept)}
    for right in found.keys() - kept:
        for wider in every.wider(right):
            if wider in result:
                versions = dict.fromkeys((*result[wider].versions, *found[right].versions))
                result[wider] = replace(result[wider], versions=tuple(versions))
    return Wanted(result, tuple(warnings))


def _reasons(needs: Needs, grants: Grants, version: str) -> Iterator[tuple[Right, Reason]]:
    objects = Reason(Section.OBJECTS, frozenset(), frozenset(), (version,))
    for use in needs.uses:
        yield from ((right, objects) for right in use.rights)
    for grant in needs.grants:
        if _is_by_leave(grant, grants):
            yield grant.instead, replace(objects, section=Section.LEAVE)
        else:
            granted = Reason(Section.GRANTS, frozenset({_role_of(grant)}), frozenset(grant.receivers), (version,))
            yield from ((placed(right), granted) for right in grant.rights)


def _is_by_leave(grant: Grant, grants: Grants) -> bool:
    return grants is Grants.ESCALATE or grant.is_aggregated or grant.is_unknown


def _warnings(grant: Grant, grants: Grants) -> Iterator[str]:
    if grants is Grants.ESCALATE:
        return
    called = f"{grant.key.kind} {grant.key.name}"
    if grant.is_aggregated:
        yield f"{called} gathers its rules from other roles: the account gets escalate on it instead of every right"
    if grant.is_unknown:
        yield f"{called} refers to {_role_of(grant)}, whose rules are not known: the account gets bind on it"
    if not _is_by_leave(grant, grants) and RightSet(grant.rights).covers(_ESCALATE):
        yield (
            f"{_role_of(grant)} may give itself every right, and who holds its rules may do so too: "
            "--grants escalate asks for less"
        )


def _role_of(grant: Grant) -> str:
    """The role whose rules count: the object itself, or what a binding refers to."""
    return f"{'Role' if grant.instead.resource == 'roles' else 'ClusterRole'} {grant.instead.name}"


def _joined(first: Reason | None, second: Reason) -> Reason:
    if first is None:
        return second
    versions = dict.fromkeys((*first.versions, *second.versions))
    section = min(first.section, second.section, key=list(Section).index)
    return Reason(section, first.roles | second.roles, first.receivers | second.receivers, tuple(versions))
