"""What is due at a moment: a new authority, its taking over, new serving certificates.

An authority is changed in two steps, so that no webhook call fails in between. First its successor is made and trusted
beside it, in every object that calls webhooks. Once all of them are known to trust it, it takes over: it signs every
serving certificate anew, and the retired authority, whose key is dropped, stays trusted until it ends, for processes
that still answer with an old certificate. An authority that is lost or has ended is replaced at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from operator_controller.certificates.lifetimes import Lifetimes
from operator_controller.certificates.needs import Need
from operator_controller.revisions.plan import Place

__all__ = ["Facts", "ServingFacts", "SignerStep", "Steps", "due", "is_usable", "next_look"]


@dataclass(frozen=True, slots=True)
class ServingFacts:
    """One serving certificate that can be used: until when, for which names, and whether the signer issued it."""

    end: datetime
    names: frozenset[str]
    is_by_signer: bool


@dataclass(frozen=True, slots=True)
class Facts:
    """What is stored for an extension, as far as it can be used; `None` where something is missing or broken.

    The signer issues certificates, its successor waits, the retired ones are only trusted. `serving` has an entry for
    every stored certificate.
    """

    signer_end: datetime | None = None
    successor_end: datetime | None = None
    retired_ends: tuple[datetime, ...] = ()
    serving: Mapping[Place, ServingFacts | None] = field(default_factory=dict)


class SignerStep(StrEnum):
    """What happens to the authority that signs."""

    KEEP = "keep"
    TAKE_OVER = "take over"
    """Its successor takes its place; it retires."""
    REPLACE = "replace"
    """A new one takes its place at once: there is none, or it is of no use any more."""


@dataclass(frozen=True, slots=True)
class Steps:
    """What to do, in this order; all of it is written at once."""

    signer: SignerStep = SignerStep.KEEP
    adds_successor: bool = False
    ended: tuple[int, ...] = ()
    """Positions of retired authorities that have ended: nobody needs to trust them any more."""
    issues: tuple[Need, ...] = ()
    drops: tuple[Place, ...] = ()
    """Serving certificates that nobody needs and that have ended or cannot be used."""

    @property
    def is_nothing(self) -> bool:
        """Whether everything is as it should be."""
        return self == Steps()


def due(facts: Facts, needs: Sequence[Need], now: datetime, lifetimes: Lifetimes, *, is_spread: bool) -> Steps:
    """The steps that are due; `is_spread` says that everything that calls webhooks trusts the successor already."""
    signer = _signer(facts, now, lifetimes, is_spread=is_spread)
    is_ageing = facts.signer_end is not None and now >= facts.signer_end - lifetimes.authority_renewal
    adds_successor = signer is SignerStep.KEEP and not _has_successor(facts, now) and is_ageing
    if signer is SignerStep.KEEP:
        issues = tuple(need for need in needs if _is_stale(need, facts, now, lifetimes))
    else:
        issues = tuple(needs)
    ended = tuple(index for index, end in enumerate(facts.retired_ends) if end <= now)
    needed = {need.place for need in needs}
    drops = tuple(
        place
        for place, found in sorted(facts.serving.items())
        if place not in needed and (found is None or found.end <= now)
    )
    return Steps(signer, adds_successor, ended, issues, drops)


def is_usable(facts: Facts, needs: Sequence[Need], now: datetime) -> bool:
    """Whether webhooks work with what is stored, so that what is due may wait for better times."""
    has_trust = facts.signer_end is not None and facts.signer_end > now
    found = [facts.serving.get(need.place) for need in needs]
    return has_trust and all(item is not None and item.end > now for item in found)


def next_look(facts: Facts, needs: Sequence[Need], now: datetime, lifetimes: Lifetimes) -> datetime:
    """When something will be due that nothing but time brings about; always after `now`."""
    moments = [end for end in facts.retired_ends if end > now]
    if facts.signer_end is not None:
        margin = lifetimes.authority_limit if _has_successor(facts, now) else lifetimes.authority_renewal
        moments.append(facts.signer_end - margin)
    for need in needs:
        found = facts.serving.get(need.place)
        if found is not None:
            moments.append(found.end - lifetimes.serving_renewal)
    earliest = now + lifetimes.shortest_pause
    return max(earliest, min(moments, default=earliest))


def _signer(facts: Facts, now: datetime, lifetimes: Lifetimes, *, is_spread: bool) -> SignerStep:
    has_successor = _has_successor(facts, now)
    if facts.signer_end is None or facts.signer_end <= now:
        return SignerStep.TAKE_OVER if has_successor else SignerStep.REPLACE
    if has_successor and (is_spread or now >= facts.signer_end - lifetimes.authority_limit):
        return SignerStep.TAKE_OVER
    return SignerStep.KEEP


def _has_successor(facts: Facts, now: datetime) -> bool:
    return facts.successor_end is not None and facts.successor_end > now


def _is_stale(need: Need, facts: Facts, now: datetime, lifetimes: Lifetimes) -> bool:
    """Whether a certificate must be issued by the present signer."""
    found = facts.serving.get(need.place)
    if found is None or not found.is_by_signer or not found.names.issuperset(need.names) or found.end <= now:
        return True
    best = now + lifetimes.serving if facts.signer_end is None else min(now + lifetimes.serving, facts.signer_end)
    return now >= found.end - lifetimes.serving_renewal and best - found.end >= lifetimes.worth
