"""Which images may be used: the signature policy `policy.json`, parsed and asked.

Pure: file bytes in, a verdict out; `configuration` reads the file and `signed` runs what only skopeo can check.
Rule: containers-policy.json(5); clustercatalog.md 5 "Signature policy" and 13.17.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import orjson

from olmv1.images.references import Reference

__all__ = ["Policy", "Verdict", "parse_policy"]

_SIGNED = frozenset({"signedBy", "sigstoreSigned", "signedBaseLayer"})
_ACCEPT = "insecureAcceptAnything"
_REJECT = "reject"


class Verdict(StrEnum):
    """What a policy says about an image."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    NEEDS_SIGNATURE = "needs signature"


@dataclass(frozen=True, slots=True)
class Policy:
    """A parsed policy: requirement types by scope of the docker transport, and the default.

    `origin` is the path of the file; `scopes` may hold the empty key: the default of the transport.
    """

    origin: str
    default: tuple[str, ...]
    scopes: Mapping[str, tuple[str, ...]]

    def verdict(self, reference: Reference) -> Verdict:
        """What the requirements of the most specific scope say; all of them must hold."""
        requirements = self.default
        for scope in _scopes_of(reference):
            if scope in self.scopes:
                requirements = self.scopes[scope]
                break
        if _REJECT in requirements:
            return Verdict.REJECTED
        return Verdict.NEEDS_SIGNATURE if _SIGNED.intersection(requirements) else Verdict.ACCEPTED


def parse_policy(data: bytes, origin: str) -> Policy:
    """The policy in `data`.

    Raises:
        ValueError: not a policy. The caller refuses every image then: a policy that cannot be read accepts nothing.
    """
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"{origin} is not JSON: {error}") from error
    top = _mapping(document, "the policy", origin)
    if unknown := sorted(set(top) - {"default", "transports"}):
        raise ValueError(f'{origin} has the unknown key "{unknown[0]}"')
    if "default" not in top:
        raise ValueError(f'{origin} has no "default"')
    transports = _mapping(top.get("transports", {}), '"transports"', origin)
    docker = _mapping(transports.get("docker", {}), '"transports.docker"', origin)
    scopes = {scope: _requirements(value, f'scope "{scope}"', origin) for scope, value in docker.items()}
    return Policy(origin, _requirements(top["default"], '"default"', origin), scopes)


def _scopes_of(reference: Reference) -> Iterator[str]:
    """The scopes that cover `reference`, most specific first."""
    yield str(reference)
    name = reference.name
    while name:
        yield name
        name = name.rpartition("/")[0]
    domain = reference.domain
    while "." in domain:
        domain = domain.partition(".")[2]
        yield f"*.{domain}"
    yield ""


def _requirements(value: object, where: str, origin: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not value:
        raise ValueError(f"{origin}: {where} must be a list of requirements")
    types = tuple(str(_mapping(item, where, origin).get("type")) for item in value)
    for name in types:
        if name not in {_ACCEPT, _REJECT, *_SIGNED}:
            raise ValueError(f'{origin}: {where} has the unknown requirement type "{name}"')
    return types


def _mapping(value: object, where: str, origin: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{origin}: {where} must be an object")
    return value
