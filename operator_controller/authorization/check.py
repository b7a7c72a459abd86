"""Which rights an account lacks, before anything is written. Rule: applying.md 4, with 10 rows 14 to 19.

Evaluated from watched RBAC objects without a request. Where something looks missing the shell asks the API server about
`Missing.questions` only, because other authorizers may allow what RBAC does not, and takes the answers back with
`without`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.authorization.mappings import KindMap, unmapped
from operator_controller.authorization.message import MissingRule, compacted, message_of
from operator_controller.authorization.needs import Grant, needs_of
from operator_controller.authorization.rights import Right, RightSet
from operator_controller.authorization.snapshot import Account, RbacSnapshot

__all__ = ["Missing", "MissingGrant", "missing_rights", "placed", "review_of"]


@dataclass(frozen=True, slots=True)
class MissingGrant:
    """An object that gives rights which the account does not hold; `instead` would do as well."""

    grant: Grant
    rights: tuple[Right, ...]


@dataclass(frozen=True, slots=True)
class Missing:
    """What an account lacks.

    `uses` are rights on the objects themselves, `grants` those that objects give to others. `problems` name objects of
    unknown kinds, about which nothing can be said.
    """

    uses: tuple[Right, ...] = ()
    grants: tuple[MissingGrant, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def is_nothing(self) -> bool:
        """Whether the account can do everything."""
        return not (self.uses or self.grants or self.problems)

    @property
    def rights(self) -> frozenset[Right]:
        """The fewest rights that would do, each at the place where it can be given."""
        every = (*self.uses, *(right for each in self.grants for right in each.rights))
        return RightSet(map(placed, every)).minimal()

    @property
    def rules(self) -> tuple[MissingRule, ...]:
        """The same as rules, sorted."""
        return compacted(self.rights)

    @property
    def message(self) -> str:
        """What the condition says; empty when nothing is missing."""
        return message_of(self.rules, self.problems)

    @property
    def questions(self) -> tuple[Right, ...]:
        """What another authorizer than RBAC could allow, each to be asked once: see `review_of`.

        What an object gives to others is for RBAC alone to judge, but `escalate` and `bind` are rights like any other.
        """
        return tuple(sorted({*self.uses, *(each.grant.instead for each in self.grants)}))

    def without(self, allowed: Collection[Right]) -> Missing:
        """What is left when the API server allows these of the `questions`."""
        uses = tuple(right for right in self.uses if right not in allowed)
        grants = tuple(each for each in self.grants if each.grant.instead not in allowed)
        return replace(self, uses=uses, grants=grants)


def missing_rights(objects: Sequence[Manifest], account: Account, rbac: RbacSnapshot, kinds: KindMap) -> Missing:
    """What `account` lacks to apply, repair and remove `objects`. Takes milliseconds for hundreds of them."""
    needs, held = needs_of(objects, kinds, rbac), rbac.held_by(account)
    uses = {right: None for use in needs.uses for right in use.rights if not held.covers(right)}
    return Missing(tuple(uses), tuple(_missing_grants(needs.grants, held)), unmapped(objects, kinds))


def _missing_grants(grants: Iterable[Grant], held: RightSet) -> Iterable[MissingGrant]:
    for grant in grants:
        if not held.covers(grant.instead):
            # A role that is not there cannot be compared with: the API server then accepts the leave to bind only.
            wanted = (grant.instead,) if grant.is_unknown else grant.rights
            lacking = tuple(right for right in dict.fromkeys(wanted) if not held.covers(right))
            if lacking:
                yield MissingGrant(grant, lacking)


def placed(right: Right) -> Right:
    """The right where it can be given: rules on URLs belong into a ClusterRole."""
    return right._replace(namespace="") if right.url else right


def review_of(right: Right, account: Account) -> Mapping[str, Any]:
    """The SubjectAccessReview (authorization.k8s.io/v1) that asks for one of the `questions`."""
    resource, _, subresource = right.resource.partition("/")
    attributes = {
        "namespace": right.namespace,
        "verb": right.verb,
        "group": right.group,
        "resource": resource,
        "subresource": subresource,
        "name": right.name,
    }
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {
            "user": account.user,
            "groups": list(account.groups),
            "resourceAttributes": {key: value for key, value in attributes.items() if value},
        },
    }
