"""How a registry asks for credentials: the `WWW-Authenticate` header, parsed.

Pure. Rule: RFC 9110 11.6.1, distribution token specification.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

__all__ = ["Challenge", "parse_challenges"]

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # noqa: S105  (a token of the HTTP grammar, no secret)
_PARAMETER = re.compile(rf'({_TOKEN})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|({_TOKEN}))')
_SCHEME = re.compile(rf"({_TOKEN})(?=[\s,]|$)(?!\s*=)")
_HEADER_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Challenge:
    """One way to authenticate: `scheme` is lower case (`bearer`, `basic`), parameter names too."""

    scheme: str
    parameters: Mapping[str, str] = field(default_factory=dict)


def parse_challenges(headers: Iterable[str]) -> tuple[Challenge, ...]:
    """The challenges of all `WWW-Authenticate` headers in order; what cannot be read is left out."""
    return tuple(challenge for header in headers for challenge in _challenges(header[:_HEADER_LIMIT]))


def _challenges(header: str) -> list[Challenge]:
    found: list[Challenge] = []
    position = 0
    parameters: dict[str, str] = {}
    while position < len(header):
        if header[position] in ", \t":
            position += 1
        elif found and (match := _PARAMETER.match(header, position)):
            quoted = match[2]
            parameters[match[1].lower()] = match[3] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
            position = match.end()
        elif match := _SCHEME.match(header, position):
            parameters = {}
            found.append(Challenge(match[1].lower(), parameters))
            position = match.end()
        else:
            break
    return found
