"""What the Secret holds: who signs, who will, who is only trusted any more, and the serving certificate.

That it is one object makes every change, also that of an authority, happen at once or not at all. Pure; no key gets
into a message. The keys of the Secret are those that others expect: `tls.crt`, `tls.key`, and `ca.crt` to be trusted.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.tls.authority import CertificateFacts, KeyPair, is_pair, read_certificates

__all__ = ["AUTHORITIES", "Material", "authorities_in", "data_of", "facts_of", "material_in", "trust_of"]

AUTHORITIES = "ca.crt"
"""The key with everything to trust, PEM."""

_SERVING, _SIGNER, _SUCCESSOR = "tls", "signer", "next-signer"
_RETIRED = "retired.crt"
_MOST_RETIRED = 4
"""More than there ever are: an authority that gave way ends before the next one does."""


@dataclass(frozen=True, slots=True)
class Material:
    """The content; `None` where something is missing, cannot be read, or does not fit together.

    `signer` and `successor` are authorities with their keys, `retired` certificates of authorities (PEM each), `trust`
    is what is published for clients (PEM).
    """

    signer: KeyPair | None = None
    successor: KeyPair | None = None
    retired: tuple[str, ...] = ()
    serving: KeyPair | None = None
    trust: str = ""


def material_in(data: Mapping[str, Any]) -> Material:
    """The content of the `data` of a Secret, whatever it is."""
    texts = {name: text for name, value in data.items() if (text := _decoded(value))}
    retired = tuple(item.pem for item in _read(texts.get(_RETIRED, "")) if item.is_authority)
    return Material(
        signer=_authority(texts, _SIGNER),
        successor=_authority(texts, _SUCCESSOR),
        retired=retired[:_MOST_RETIRED],
        serving=_pair(texts, _SERVING),
        trust=texts.get(AUTHORITIES, ""),
    )


def data_of(material: Material) -> dict[str, str]:
    """The `data` of the Secret; the inverse of `material_in`."""
    pairs = {_SERVING: material.serving, _SIGNER: material.signer, _SUCCESSOR: material.successor}
    texts = {AUTHORITIES: material.trust, _RETIRED: "".join(material.retired)}
    for name, pair in pairs.items():
        texts |= {f"{name}.crt": pair.certificate, f"{name}.key": pair.key} if pair is not None else {}
    return {name: base64.b64encode(text.encode()).decode() for name, text in sorted(texts.items()) if text}


def trust_of(material: Material) -> str:
    """Every authority to trust, PEM, the youngest first: the same text before and after one takes over."""
    pems = [pair.certificate for pair in (material.signer, material.successor) if pair is not None]
    found = {item.digest: item for pem in (*pems, *material.retired) for item in _read(pem)}
    ordered = sorted(found.values(), key=lambda item: (item.span.start, item.digest), reverse=True)
    return "".join(item.pem for item in ordered)


def facts_of(pair: KeyPair) -> CertificateFacts:
    """What is in the certificate of a pair that `material_in` returned."""
    return _read(pair.certificate)[0]


def authorities_in(data: Mapping[str, Any]) -> str:
    """What a client is told to trust, PEM; empty when nothing can be read."""
    return "".join(item.pem for item in _read(_decoded(data.get(AUTHORITIES))))


def _authority(texts: Mapping[str, str], name: str) -> KeyPair | None:
    pair = _pair(texts, name)
    return pair if pair is not None and facts_of(pair).is_authority else None


def _pair(texts: Mapping[str, str], name: str) -> KeyPair | None:
    pair = KeyPair(texts.get(f"{name}.crt", ""), texts.get(f"{name}.key", ""))
    return pair if _read(pair.certificate) and is_pair(pair) else None


def _read(pem: str) -> tuple[CertificateFacts, ...]:
    try:
        return read_certificates(pem)
    except ValueError:
        return ()


def _decoded(value: Any) -> str:
    try:
        return base64.b64decode(value, validate=True).decode("ascii")
    except (binascii.Error, UnicodeDecodeError, TypeError, ValueError):
        return ""
