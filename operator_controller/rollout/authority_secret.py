"""The authority of an extension as it is stored: one Secret in the system namespace with everything in it.

That it is one object makes every change of it, also the change of an authority, happen at once or not at all. Pure but
for new keys: `Authorities` reads and writes the Secret. Nothing here logs, and no key gets into a message.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from olmv1.errors import RetryableError
from olmv1.tls.authority import (
    CertificateFacts,
    KeyPair,
    Span,
    is_issued_by,
    is_pair,
    issue,
    new_authority,
    read_certificates,
)
from operator_controller.certificates import Facts, Lifetimes, ServingFacts, SignerStep, Steps
from operator_controller.revisions.plan import Place

__all__ = ["Stored", "bundle_of", "data_of", "facts_of", "stepped", "stored_in"]

_SIGNER, _SUCCESSOR, _RETIRED = "ca", "next-ca", "retired-ca"
_CERTIFICATE, _KEY = ".crt", ".key"


@dataclass(frozen=True, slots=True)
class Stored:
    """The content: who signs, who will, who is only trusted any more (PEM each), and what was issued."""

    signer: KeyPair | None = None
    successor: KeyPair | None = None
    retired: tuple[str, ...] = ()
    serving: Mapping[Place, KeyPair] = field(default_factory=dict)


def stored_in(data: Mapping[str, str]) -> Stored:
    """The content of a Secret's `data`; whatever cannot be read is as good as absent.

    Keys: `ca.crt`, `ca.key`, `next-ca.…`, `retired-ca.crt`; `<namespace>.<secret>.crt` and `.key` for what was issued.
    """
    texts = {name: text for name, value in data.items() if (text := _decoded(value))}
    serving = {}
    for name in texts:
        namespace, dot, secret = name.removesuffix(_CERTIFICATE).partition(".")
        pair = _pair(texts, name.removesuffix(_CERTIFICATE))
        if name.endswith(_CERTIFICATE) and dot and pair is not None:
            serving[namespace, secret] = pair
    retired = tuple(item.pem for item in _read(texts.get(f"{_RETIRED}{_CERTIFICATE}", "")))
    return Stored(_pair(texts, _SIGNER), _pair(texts, _SUCCESSOR), retired, serving)


def data_of(stored: Stored) -> dict[str, str]:
    """The `data` of the Secret; the inverse of `stored_in`."""
    pairs = {f"{namespace}.{secret}": pair for (namespace, secret), pair in stored.serving.items()}
    pairs |= {name: pair for name, pair in ((_SIGNER, stored.signer), (_SUCCESSOR, stored.successor)) if pair}
    texts = {f"{name}{_CERTIFICATE}": pair.certificate for name, pair in pairs.items()}
    texts |= {f"{name}{_KEY}": pair.key for name, pair in pairs.items()}
    if stored.retired:
        texts[f"{_RETIRED}{_CERTIFICATE}"] = "".join(stored.retired)
    return {name: base64.b64encode(text.encode()).decode() for name, text in sorted(texts.items())}


def facts_of(stored: Stored) -> Facts:
    """What the rules look at. A pair whose parts do not fit counts as absent."""
    signer, successor = _authority(stored.signer), _authority(stored.successor)
    serving = {place: _serving(pair, signer) for place, pair in stored.serving.items()}
    return Facts(
        signer_end=signer.span.end if signer is not None else None,
        successor_end=successor.span.end if successor is not None else None,
        retired_ends=tuple(_read(pem)[0].span.end for pem in stored.retired),
        serving=serving,
    )


def bundle_of(stored: Stored) -> str:
    """Every authority to trust, PEM, the youngest first: the same text before and after one takes over from another."""
    pems = [pair.certificate for pair in (stored.signer, stored.successor) if pair is not None]
    found = {item.digest: item for pem in (*pems, *stored.retired) for item in _read(pem) if item.is_authority}
    ordered = sorted(found.values(), key=lambda item: (item.span.start, item.digest), reverse=True)
    return "".join(item.pem for item in ordered)


def stepped(stored: Stored, steps: Steps, name: str, now: datetime, lifetimes: Lifetimes) -> Stored:
    """`stored` after `steps`; `name` is part of the names of new authorities.

    Raises:
        RetryableError: a certificate cannot be issued for the names that it needs.
    """
    start = now - lifetimes.skew
    after = replace(stored, retired=tuple(pem for at, pem in enumerate(stored.retired) if at not in steps.ended))
    match steps.signer:
        case SignerStep.TAKE_OVER:
            after = replace(after, signer=stored.successor, successor=None, retired=_retiring(after, now))
        case SignerStep.REPLACE:
            made = new_authority(name, Span(start, now + lifetimes.authority))
            after = replace(after, signer=made, successor=None, retired=_retiring(after, now))
        case SignerStep.KEEP if steps.adds_successor:
            after = replace(after, successor=new_authority(name, Span(start, now + lifetimes.authority)))
        case SignerStep.KEEP:
            pass
    serving = {place: pair for place, pair in stored.serving.items() if place not in steps.drops}
    for need in steps.issues:
        serving[need.place] = _issued(after.signer, _names(need.names, stored.serving.get(need.place)), now, lifetimes)
    return replace(after, serving=serving)


def _issued(signer: KeyPair | None, names: tuple[str, ...], now: datetime, lifetimes: Lifetimes) -> KeyPair:
    if signer is None:
        raise RetryableError("issuing a serving certificate: expected an authority, found none")
    (authority, *_) = read_certificates(signer.certificate)
    span = Span(max(now - lifetimes.skew, authority.span.start), min(now + lifetimes.serving, authority.span.end))
    try:
        return issue(signer, names, span)
    except ValueError as error:
        raise RetryableError(f"issuing a serving certificate for {', '.join(names)}: {error}") from error


def _names(wanted: Iterable[str], before: KeyPair | None) -> tuple[str, ...]:
    """Also the names of the certificate before: two revisions that want different ones must not take turns."""
    known = _read(before.certificate)[:1] if before is not None else ()
    return tuple(sorted({*wanted, *(name for item in known for name in item.dns_names)}))


def _retiring(stored: Stored, now: datetime) -> tuple[str, ...]:
    """The retired authorities with the one that gives way, if others can still rely on it. Its key is dropped."""
    pair = stored.signer
    leaving = (
        [item.pem for item in _read(pair.certificate)[:1] if item.is_authority and item.span.end > now] if pair else []
    )
    return (*stored.retired, *leaving)


def _authority(pair: KeyPair | None) -> CertificateFacts | None:
    if pair is None or not is_pair(pair):
        return None
    (found, *_) = _read(pair.certificate)
    return found if found.is_authority else None


def _serving(pair: KeyPair, signer: CertificateFacts | None) -> ServingFacts | None:
    if not is_pair(pair):
        return None
    (found, *_) = _read(pair.certificate)
    is_by_signer = signer is not None and is_issued_by(pair.certificate, signer.pem)
    return ServingFacts(found.span.end, found.dns_names, is_by_signer)


def _pair(texts: Mapping[str, str], name: str) -> KeyPair | None:
    """A certificate that can be read, with the key beside it; without a fitting key it can still be trusted."""
    certificate = texts.get(f"{name}{_CERTIFICATE}", "")
    return KeyPair(certificate, texts.get(f"{name}{_KEY}", "")) if _read(certificate) else None


def _read(pem: str) -> tuple[CertificateFacts, ...]:
    try:
        return read_certificates(pem)
    except ValueError:
        return ()


def _decoded(value: str) -> str:
    try:
        return base64.b64decode(value, validate=True).decode()
    except (binascii.Error, UnicodeDecodeError, TypeError):
        return ""
