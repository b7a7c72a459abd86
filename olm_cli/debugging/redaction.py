"""Takes out what must not leave the cluster: contents of Secrets, and what looks like a password. Pure.

What is left says that something was there. No rule knows every secret: whoever passes an archive on reads it first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from olmv1.telemetry.logs import redact

__all__ = ["REDACTED", "redacted", "redacted_text"]

REDACTED = "[redacted]"

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_WORD = r"(?:passwords?|passwd|passphrase|token|api[-_]?key|access[-_]?key|private[-_]?key|credentials?"
# Keys of mappings: they end so; `secretName` and `tokenExpirationSeconds` do not.
_KEY = re.compile(rf"{_WORD}|secret|authorization|\.dockerconfigjson|\.dockercfg|(?<![a-z])auth)$", re.IGNORECASE)
_VARIABLE = re.compile(rf"{_WORD}|secret|authorization|(?<![a-z])auth(?![a-z]))", re.IGNORECASE)
# In texts: `password: x`, `--api-key=x`, `"client_secret": "x"`. Everything is bounded: texts may be long, and hostile.
_ASSIGNED = re.compile(
    rf"(?P<name>{_WORD}|[-_.]secret|client_?secret|(?<![a-z])auth)['\"]?[ \t]{{0,4}}[:=][ \t]{{0,4}})"
    r"(?:\"[^\"\n]{1,4096}\"|'[^'\n]{1,4096}'|[^\s,;&}\"']{1,4096})",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"(?P<name>authorization['\"]?[ \t]{0,4}[:=][ \t]{0,4}+['\"]?+)(?!bearer |basic )[^'\"\n]{1,4096}", re.IGNORECASE
)
_HINTS = ("passw", "passphrase", "token", "key", "credential", "secret", "auth", "://", "bearer", "basic", "eyj")
_PRIVATE_KEY = re.compile(
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?"
)


def redacted(value: Any) -> Any:
    """A JSON value, such as an object of the cluster, without secrets at any depth."""
    match value:
        case str():
            return redacted_text(value)
        case Mapping():
            return _mapping(value)
        case list() | tuple():
            return [redacted(each) for each in value]
        case _:
            return value


def redacted_text(text: str) -> str:
    """A text without private keys, credentials in URLs and headers, web tokens, and assigned passwords."""
    without_keys = _PRIVATE_KEY.sub(REDACTED, text) if "PRIVATE KEY" in text else text
    return "".join(map(_line, without_keys.splitlines(keepends=True)))


def _line(line: str) -> str:
    """A line without secrets; what no rule could fit, which is nearly all of a long text, is not matched with any."""
    small = line.lower()
    if not any(hint in small for hint in _HINTS):
        return line
    return _ASSIGNED.sub(rf"\g<name>{REDACTED}", _HEADER.sub(rf"\g<name>{REDACTED}", redact(line)))


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, each in value.items():
        if key == _LAST_APPLIED:
            found[key] = REDACTED
        elif key in ("data", "stringData") and value.get("kind") == "Secret" and isinstance(each, Mapping):
            found[key] = {name: _length_of(content) for name, content in each.items()}
        elif isinstance(each, str) and _KEY.search(str(key)):
            found[str(key)] = REDACTED
        else:
            found[str(key)] = redacted(each)
    if isinstance(value.get("value"), str) and _VARIABLE.search(str(value.get("name") or "")):
        found["value"] = REDACTED
    return found


def _length_of(content: object) -> str:
    return f"[redacted: {len(str(content))} characters]"
