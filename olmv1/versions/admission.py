"""The pattern by which the API server admits a version range, before any parser of ours sees it.

Used by the CRD (RE2, as CEL's `matches` understands it) together with the length limit. It admits every text that
`Range.parse` accepts and refuses what is obviously no range; the parser stays the authority on the rest.
Rule: decision 6 (it replaces the pattern described in version-ranges.md 2).
"""

from __future__ import annotations

__all__ = ["VERSION_LENGTH_LIMIT", "VERSION_PATTERN"]

VERSION_LENGTH_LIMIT = 64
"""Characters."""

_ANY = r"[0-9xX*|]+"  # behind a wildcard the parser looks at nothing, so anything it can tokenise is admitted
_NUMBER = r"[0-9]+"
_WILDCARD = r"[xX*]"
_IDS = r"[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*"
_NUMBERS = (
    rf"({_WILDCARD}(\.{_ANY})?(\.{_ANY})?"
    rf"|{_NUMBER}(\.{_WILDCARD}(\.{_ANY})?)?"
    rf"|{_NUMBER}\.{_NUMBER}(\.({_NUMBER}|{_WILDCARD}))?)"
)
_VERSION = rf"v?{_NUMBERS}(-{_IDS})?(\+{_IDS})?"
_COMPARATOR = rf"(=|!=|>|<|>=|=>|<=|=<|~|~>|\^)?\s*{_VERSION}"
_HYPHEN = rf"{_VERSION}\s+-\s+{_VERSION}"
_SEPARATOR = r"(\s+|\s*,\s*|\s*\|\|\s*)"
# The parser rewrites a hyphen range with blanks around it, so the next comparator may follow at once.
VERSION_PATTERN = rf"^\s*({_COMPARATOR}{_SEPARATOR}|{_HYPHEN}{_SEPARATOR}?)*({_COMPARATOR}|{_HYPHEN})\s*$"
"""A RE2 expression for the whole text."""
