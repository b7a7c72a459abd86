"""What is due at a moment, and what the Secret holds after it: pure but for new keys.

An authority is changed in two steps, so that no client has to be faster than a server: its successor is made and
published months before it signs, and the one that gave way stays published until it ends. Rule: docs/decisions/009.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from olmv1.serving_certificate.lifetimes import Lifetimes
from olmv1.serving_certificate.material import Material, facts_of, trust_of
from olmv1.tls.authority import CertificateFacts, KeyPair, Span, is_issued_by, issue, new_authority, read_certificates

__all__ = ["Renewal", "Wanted", "is_servable", "next_look", "renewed"]

_SUCCESSOR_MADE = "the authority ends: its successor is trusted from now on"
_SUCCESSOR_SIGNS = "the authority ends: its successor takes over"
_SERVING_ENDS = "the serving certificate ends"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What certificates are made of: names of the server (at least one), part of the authority's name, lifetimes."""

    names: tuple[str, ...]
    title: str
    lifetimes: Lifetimes = field(default_factory=Lifetimes)


@dataclass(frozen=True, slots=True)
class Renewal:
    """The content as it should be, and why it differs from what was found; no reason means that nothing is due."""

    material: Material
    reasons: tuple[str, ...] = ()

    @property
    def is_repair(self) -> bool:
        """Whether something else than time made it due."""
        return self.reasons[:1] not in ((), (_SUCCESSOR_MADE,), (_SUCCESSOR_SIGNS,), (_SERVING_ENDS,))


def renewed(found: Material, wanted: Wanted, now: datetime) -> Renewal:
    """`found` with everything done that is due at `now`.

    Raises:
        ValueError: a name is neither a DNS name nor an address.
    """
    kept = _without_ended(found, now)
    signed = _with_signer(kept, wanted, now)
    served = _with_serving(signed.material, wanted, now)
    after = replace(served.material, trust=trust_of(served.material))
    reasons = (*signed.reasons, *served.reasons)
    if after != found and not reasons:
        reasons = ("the published authorities are not those in use",)
    return Renewal(after, reasons)


def is_servable(material: Material, now: datetime) -> bool:
    """Whether the serving certificate can be offered: it is valid, and of the authority that signs."""
    pair, signer = material.serving, material.signer
    if pair is None or signer is None or not _is_valid(pair, now):
        return False
    return is_issued_by(pair.certificate, signer.certificate)


def next_look(material: Material, now: datetime, lifetimes: Lifetimes) -> datetime:
    """When something is due that nothing but time brings about; not before `now`."""
    moments = [facts.span.end for pem in material.retired for facts in read_certificates(pem)]
    if material.signer is not None and material.successor is not None:
        moments.append(_takeover(material.signer, material.successor, lifetimes))
    elif material.signer is not None:
        moments.append(facts_of(material.signer).span.end - lifetimes.successor_due)
    if material.serving is not None and not _is_cut_short(material):
        moments.append(facts_of(material.serving).span.end - lifetimes.serving_due)
    return max(now, min(moments, default=now))


def _without_ended(found: Material, now: datetime) -> Material:
    """Without what nobody needs to trust any more, and without a successor that is none."""
    retired = tuple(pem for pem in found.retired if read_certificates(pem)[0].span.end > now)
    signer, successor = found.signer, found.successor
    if successor is not None and signer is not None and _is_valid(signer, now):
        successor = successor if facts_of(successor).span.end > facts_of(signer).span.end else None
    if successor is not None and not _is_valid(successor, now):
        successor = None
    return replace(found, retired=retired, successor=successor)


def _with_signer(found: Material, wanted: Wanted, now: datetime) -> Renewal:
    """With an authority that can sign, and a successor beside it once that is due."""
    taken = _taken_over(found, wanted, now)
    after = taken.material
    if after.signer is None or after.successor is not None:
        return taken
    if now < facts_of(after.signer).span.end - wanted.lifetimes.successor_due:
        return taken
    return Renewal(replace(after, successor=_new_authority(wanted, now)), (*taken.reasons, _SUCCESSOR_MADE))


def _taken_over(found: Material, wanted: Wanted, now: datetime) -> Renewal:
    signer, successor = found.signer, found.successor
    if signer is None or not _is_valid(signer, now):
        if successor is not None:
            after = replace(found, signer=successor, successor=None)
            return Renewal(after, ("the authority cannot be used: its successor takes over",))
        after = replace(found, signer=_new_authority(wanted, now))
        return Renewal(after, ("there is no authority that can be used: a new one is made",))
    if successor is not None and now >= _takeover(signer, successor, wanted.lifetimes):
        after = replace(found, signer=successor, successor=None, retired=(*found.retired, facts_of(signer).pem))
        return Renewal(after, (_SUCCESSOR_SIGNS,))
    return Renewal(found)


def _takeover(signer: KeyPair, successor: KeyPair, lifetimes: Lifetimes) -> datetime:
    """When the successor signs: late in the life of the authority, and not before clients had time to read of it."""
    end, published = facts_of(signer).span.end, facts_of(successor).span.start + lifetimes.skew
    return min(max(end - lifetimes.takeover_due, published + lifetimes.spread), end - lifetimes.skew)


def _with_serving(found: Material, wanted: Wanted, now: datetime) -> Renewal:
    reason = _stale(found, wanted, now)
    if not reason or found.signer is None:
        return Renewal(found)
    issued = _issued(found.signer, _names(found, wanted.names), wanted.lifetimes, now)
    return Renewal(replace(found, serving=issued), (reason,))


def _stale(found: Material, wanted: Wanted, now: datetime) -> str:
    """Why a certificate must be issued; empty when the one that is there will do."""
    if found.serving is None or not is_servable(found, now):
        return "there is no serving certificate of the authority that can be used"
    facts = facts_of(found.serving)
    if missing := sorted(set(wanted.names) - _names_in(facts)):
        return f"the serving certificate is not for {', '.join(missing)}"
    is_ageing = now >= facts.span.end - wanted.lifetimes.serving_due
    return _SERVING_ENDS if is_ageing and not _is_cut_short(found) else ""


def _is_cut_short(material: Material) -> bool:
    """Whether the serving certificate lasts as long as its authority, so that no other could last longer."""
    if material.serving is None or material.signer is None:
        return False
    return facts_of(material.serving).span.end >= facts_of(material.signer).span.end


def _names(found: Material, names: Sequence[str]) -> tuple[str, ...]:
    """Also the names of the certificate before: two replicas that want different ones must not take turns."""
    if found.serving is None:
        return tuple(names)
    authorities = [pair.certificate for pair in (found.signer,) if pair is not None]
    if not any(is_issued_by(found.serving.certificate, pem) for pem in (*authorities, *found.retired)):
        return tuple(names)  # somebody else's
    return tuple(dict.fromkeys((*names, *sorted(_names_in(facts_of(found.serving))))))


def _names_in(facts: CertificateFacts) -> frozenset[str]:
    return facts.dns_names | facts.addresses


def _issued(signer: KeyPair, names: Sequence[str], lifetimes: Lifetimes, now: datetime) -> KeyPair:
    within = facts_of(signer).span
    span = Span(max(now - lifetimes.skew, within.start), min(now + lifetimes.serving, within.end))
    return issue(signer, names, span)


def _new_authority(wanted: Wanted, now: datetime) -> KeyPair:
    return new_authority(wanted.title, Span(now - wanted.lifetimes.skew, now + wanted.lifetimes.authority))


def _is_valid(pair: KeyPair, now: datetime) -> bool:
    span = facts_of(pair).span
    return span.start <= now < span.end
