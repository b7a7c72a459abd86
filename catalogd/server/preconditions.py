"""Conditional requests: entity tags and dates against what is served. Pure. Rule: catalogd-http.md 6 and 14.2-3.

A tag matches when it names the same content in any coding: what the client holds is then still true.
"""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Mapping
from dataclasses import dataclass
from email.utils import formatdate, parsedate_tz
from typing import Literal

from catalogd.server.encodings import Encoding

__all__ = ["Validators", "Verdict", "http_date", "is_range_current", "judge"]

_TAG = re.compile(r'\s*(W/)?"([^"]*)"\s*(?:,|$)')


@dataclass(frozen=True, slots=True)
class Validators:
    """What an answer can be compared by: SHA-256 of the whole content in hex, and when it changed (Unix seconds)."""

    digest: str
    modified_s: int

    def tag(self, encoding: Encoding) -> str:
        """The strong entity tag of one coding, quotes included."""
        return f'"{self.digest}{encoding.tag_suffix}"'

    def names(self, opaque: str) -> bool:
        """Whether the text inside a tag's quotes names this content, in any coding."""
        return opaque.startswith(self.digest) and opaque[len(self.digest) :] in _SUFFIXES


_SUFFIXES = frozenset(encoding.tag_suffix for encoding in Encoding)


@dataclass(frozen=True, slots=True)
class Verdict:
    """200: go on; 304 or 412: answer that. `tag` is the tag (with quotes) that the client holds and that matched."""

    status: Literal[200, 304, 412]
    tag: str | None = None


def judge(headers: Mapping[str, str], validators: Validators) -> Verdict:
    """What the conditions in `headers` (case-insensitive keys) ask for; dates that cannot be read are ignored.

    Order: If-Match, else If-Unmodified-Since; then If-None-Match, else If-Modified-Since.
    """
    if (wanted := headers.get("If-Match")) is not None:
        if _matching(wanted, validators, is_weak_allowed=False) is None:
            return Verdict(412)
    elif _seconds(headers.get("If-Unmodified-Since"), default=validators.modified_s) < validators.modified_s:
        return Verdict(412)
    if (held := headers.get("If-None-Match")) is not None:
        matched = _matching(held, validators, is_weak_allowed=True)
        return Verdict(200) if matched is None else Verdict(304, matched or None)
    if _seconds(headers.get("If-Modified-Since"), default=-1) >= validators.modified_s:
        return Verdict(304)
    return Verdict(200)


def is_range_current(headers: Mapping[str, str], validators: Validators) -> bool:
    """Whether `If-Range` (absent counts as yes) still names the content, so that a part of it may be sent."""
    condition = headers.get("If-Range")
    if condition is None:
        return True
    if '"' in condition:
        return condition.strip() == validators.tag(Encoding.IDENTITY)
    return _seconds(condition, default=-1) == validators.modified_s


def http_date(seconds: int) -> str:
    """A time as HTTP writes it: `Sat, 21 Nov 2026 09:24:18 GMT`."""
    return formatdate(seconds, usegmt=True)


def _matching(header: str, validators: Validators, *, is_weak_allowed: bool) -> str | None:
    """The matching tag with its quotes, empty for `*`, `None` without a match."""
    if header.strip() == "*":
        return ""
    for weak, opaque in _TAG.findall(header):
        if validators.names(opaque) and (is_weak_allowed or not weak):
            return f'"{opaque}"'
    return None


def _seconds(date: str | None, *, default: int) -> int:
    """Unix seconds of an HTTP date (RFC 1123, RFC 850, asctime); `default` when absent or unreadable."""
    parts = parsedate_tz(date) if date else None
    if parts is None or (parts[9] not in (0, None)):
        return default
    try:
        return timegm((*parts[:6], 0, 1, 0))
    except (ValueError, OverflowError):
        return default
