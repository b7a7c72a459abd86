"""What an account of the cluster lacks, and what it has too much, as blocks for people and values for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olm_cli.granting.account import Plan
from olm_cli.output import Block, Line, Tone
from operator_controller.authorization import (
    Account,
    MissingRule,
    Right,
    RightSet,
    Surplus,
    compacted,
    message_of,
    missing_rights,
    surplus_of,
)

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The answer to `--diff`; `surplus` is `None` where it was not asked for."""

    account: Account
    exists: bool
    versions: tuple[str, ...]
    missing: tuple[MissingRule, ...]
    surplus: Surplus | None = None

    @property
    def is_enough(self) -> bool:
        """Whether the account exists and lacks nothing."""
        return self.exists and not self.missing

    @property
    def to_json(self) -> Mapping[str, Any]:
        """The same as plain values."""
        document: dict[str, Any] = {
            "serviceAccount": {"namespace": self.account.namespace, "name": self.account.name, "exists": self.exists},
            "versions": list(self.versions),
            "missing": [rule.to_json() for rule in self.missing],
            "message": message_of(self.missing),
        }
        if self.surplus is not None:
            document["surplus"] = [rule.to_json() for rule in self.surplus.unused]
            document["wide"] = [rule.to_json() for rule in self.surplus.wide]
        return document

    @property
    def blocks(self) -> Iterator[Block]:
        """The same for people: the lines of the condition message."""
        if not self.exists:
            name, namespace = self.account.name, self.account.namespace
            yield Line(f'service account "{name}" not found in namespace "{namespace}"', Tone.BAD)
        if self.missing:
            yield Line("missing:", Tone.BAD)
            yield from _lines(self.missing)
        else:
            yield Line("nothing is missing", Tone.GOOD)
        if self.surplus is not None:
            yield from _surplus(self.surplus)


async def compare(plan: Plan, *, with_surplus: bool) -> Comparison:
    """What the account lacks on the cluster for all versions together. Raises: CannotTell."""
    account, rbac = plan.installer.account, plan.around.rbac
    lacking: set[Right] = set()
    for version, kinds in zip(plan.versions, plan.kinds, strict=True):
        lacking |= missing_rights(version.objects, account, rbac, kinds).rights
    surplus = surplus_of(rbac.held_by(account, with_groups=False), plan.needs) if with_surplus else None
    versions = tuple(version.version for version in plan.versions)
    exists = await plan.around.has_account(account)
    return Comparison(account, exists, versions, compacted(RightSet(lacking).minimal()), surplus)


def _surplus(surplus: Surplus) -> Iterator[Block]:
    if not (surplus.unused or surplus.wide):
        yield Line("nothing is too much", Tone.GOOD)
    for title, rules in (("not needed:", surplus.unused), ("wider than needed:", surplus.wide)):
        if rules:
            yield Line(title, Tone.DOUBTFUL)
            yield from _lines(rules)


def _lines(rules: Iterable[MissingRule]) -> Sequence[Block]:
    return [Line(str(rule), indent=2) for rule in rules]
