"""Rights that an account has and nothing needs. Rule: rbac.md 6, row 7."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from operator_controller.authorization.check import placed
from operator_controller.authorization.message import MissingRule, compacted
from operator_controller.authorization.needs import Needs
from operator_controller.authorization.rights import Right, RightSet

__all__ = ["Surplus", "surplus_of"]


@dataclass(frozen=True, slots=True)
class Surplus:
    """`unused` rules could go; `wide` ones allow something that is needed, and more."""

    unused: tuple[MissingRule, ...] = ()
    wide: tuple[MissingRule, ...] = ()


def surplus_of(held: RightSet, needs: Iterable[Needs]) -> Surplus:
    """What of the account's own rights is more than any of `needs` takes; holding and leave to escalate both count."""
    needed = RightSet(placed(right) for need in needs for right in _every(need))
    used = {wider for right in needed.rights for wider in held.wider(right)}
    unused = [right for right in held.rights if right not in used and right not in needed.rights]
    wide = [right for right in held.rights if right in used and right not in needed.rights]
    return Surplus(compacted(unused), compacted(wide))


def _every(needs: Needs) -> Iterable[Right]:
    for use in needs.uses:
        yield from use.rights
    for grant in needs.grants:
        yield from (*grant.rights, grant.instead)
