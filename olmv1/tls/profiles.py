"""TLS profiles: which versions, ciphers and curves the servers offer, read from the names that flags use.

Pure: names in, a `Profile` out. `olmv1.tls.contexts` applies it. Rule: clusterextension.md 12.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CIPHERS", "CURVES", "VERSIONS", "Profile", "profile_of"]

VERSIONS = ("TLSv1.0", "TLSv1.1", "TLSv1.2", "TLSv1.3")

_TLS13 = ("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256")
_TLS12 = {
    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256": "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256": "ECDHE-RSA-AES128-GCM-SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384": "ECDHE-ECDSA-AES256-GCM-SHA384",
    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384": "ECDHE-RSA-AES256-GCM-SHA384",
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-ECDSA-CHACHA20-POLY1305",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256": "ECDHE-RSA-CHACHA20-POLY1305",
}
_OLD = {
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256": "ECDHE-ECDSA-AES128-SHA256",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256": "ECDHE-RSA-AES128-SHA256",
    "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA": "ECDHE-ECDSA-AES128-SHA",
    "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA": "ECDHE-RSA-AES128-SHA",
    "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA": "ECDHE-ECDSA-AES256-SHA",
    "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA": "ECDHE-RSA-AES256-SHA",
    "TLS_RSA_WITH_AES_128_GCM_SHA256": "AES128-GCM-SHA256",
    "TLS_RSA_WITH_AES_256_GCM_SHA384": "AES256-GCM-SHA384",
    "TLS_RSA_WITH_AES_128_CBC_SHA256": "AES128-SHA256",
    "TLS_RSA_WITH_AES_128_CBC_SHA": "AES128-SHA",
    "TLS_RSA_WITH_AES_256_CBC_SHA": "AES256-SHA",
    "TLS_RSA_WITH_3DES_EDE_CBC_SHA": "DES-CBC3-SHA",
}
_ALIASES = {
    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305": "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305": "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
}

CIPHERS: Mapping[str, str] = {**{name: name for name in _TLS13}, **_TLS12, **_OLD}
"""OpenSSL's name of every cipher that a flag may name; those of TLS 1.3 are spelled alike."""

CURVES: Mapping[str, str] = {
    "X25519MLKEM768": "X25519MLKEM768",
    "X25519": "X25519",
    "prime256v1": "prime256v1",
    "secp256r1": "prime256v1",
    "secp384r1": "secp384r1",
    "secp521r1": "secp521r1",
    "SecP256r1MLKEM768": "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024": "SecP384r1MLKEM1024",
}
"""OpenSSL's name of every curve that a flag may name."""

_DEFAULT_CURVES = ("X25519MLKEM768", "X25519", "prime256v1", "secp384r1")


@dataclass(frozen=True, slots=True)
class Profile:
    """What a server offers. Ciphers and curves are OpenSSL's names; no ciphers or curves mean OpenSSL's own choice."""

    name: str
    minimum_version: str
    ciphers: tuple[str, ...]
    curves: tuple[str, ...]

    @property
    def tls12_ciphers(self) -> tuple[str, ...]:
        """The ciphers for TLS 1.2 and below."""
        return tuple(cipher for cipher in self.ciphers if cipher not in _TLS13)

    @property
    def missing_tls13_ciphers(self) -> tuple[str, ...]:
        """The ciphers of TLS 1.3 that the profile leaves out; none when it names no cipher at all."""
        return tuple(cipher for cipher in _TLS13 if self.ciphers and cipher not in self.ciphers)


_PROFILES = {
    "modern": Profile("modern", "TLSv1.3", _TLS13, _DEFAULT_CURVES),
    "intermediate": Profile("intermediate", "TLSv1.2", (*_TLS13, *_TLS12.values()), _DEFAULT_CURVES),
    "old": Profile("old", "TLSv1.0", (*_TLS13, *_TLS12.values(), *_OLD.values()), _DEFAULT_CURVES),
}


def profile_of(name: str, *, version: str = "TLSv1.2", ciphers: str = "", curves: str = "") -> Profile:
    """The profile called `name` in any letter case; `custom` is made of the other three, comma separated.

    Raises:
        ValueError: a name is unknown; the message lists the known ones.
    """
    wanted = name.lower()
    if wanted in _PROFILES:
        return _PROFILES[wanted]
    if wanted != "custom":
        raise ValueError(f'unknown TLS profile "{name}": expected one of {_listed((*_PROFILES, "custom"))}')
    if version not in VERSIONS:
        raise ValueError(f'unknown TLS version "{version}": expected one of {_listed(VERSIONS)}')
    return Profile(
        "custom",
        version,
        tuple(_named("cipher", _ALIASES.get(text, text), CIPHERS) for text in _parts(ciphers)),
        tuple(_named("curve", text, CURVES) for text in _parts(curves)),
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _named(kind: str, text: str, known: Mapping[str, str]) -> str:
    if text not in known:
        raise ValueError(f'unknown {kind} "{text}": expected one of {_listed(tuple(known))}')
    return known[text]


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)
