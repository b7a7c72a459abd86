"""One semantic version, as strict as the reference's parser.

The value type of bundles and ranges; knows nothing of catalogs. Parsing is `semantic_version`'s, narrowed where it
accepts more than the reference: line ends, digits of other scripts, numbers beyond 64 bits.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field

import semantic_version

from olmv1.versions.precedence import NOT_A_PRERELEASE, NUMBER_LIMIT, Identifiers, Key, identifiers_of
from olmv1.versions.quoting import quoted

__all__ = ["Version"]

# A catalog of today has 700 versions, four of them share most; one entry is about half a kilobyte. A hit costs 0.1 µs,
# a parse 15 µs.
_KEPT = 4096


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A semantic version; equality, order and hash follow precedence, so build metadata does not count.

    `key` is the precedence tuple, `prerelease` and `build` are the texts without `-` and `+` (empty when absent).
    """

    key: Key
    text: str = field(compare=False)
    prerelease: str = field(compare=False, repr=False)
    build: str = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Version:
        """The version that `text` spells: three numbers, no `v`, no blanks, no leading zeros, numbers below 2^64.

        Raises: ValueError naming the text, and the first character that cannot be read.
        """
        return _parse(text)

    @property
    def major(self) -> int:
        """The first number."""
        return self.key[0]

    @property
    def minor(self) -> int:
        """The second number."""
        return self.key[1]

    @property
    def patch(self) -> int:
        """The third number."""
        return self.key[2]

    @property
    def is_prerelease(self) -> bool:
        """Whether the version has a pre-release part."""
        return bool(self.prerelease)

    def without_build(self) -> Version:
        """The same version with its build metadata removed."""
        return Version(self.key, self.text.partition("+")[0], self.prerelease, "")

    def __str__(self) -> str:
        return self.text


@functools.lru_cache(maxsize=_KEPT)
def _parse(text: str) -> Version:
    if not text.isascii() or text.endswith("\n"):
        raise _unreadable(text)
    try:
        read = semantic_version.Version(text)
        prerelease = ".".join(read.prerelease)
        identifiers = identifiers_of(prerelease)
    except ValueError as error:
        raise _unreadable(text) from error
    if any(number >= NUMBER_LIMIT for number in (read.major, read.minor, read.patch, *_numbers(identifiers))):
        raise _too_large(text)
    key = (read.major, read.minor, read.patch, identifiers or NOT_A_PRERELEASE)
    return Version(key, text, prerelease, ".".join(read.build))


_NUMBER = r"(?:0|[1-9][0-9]*)"
_IDENTIFIER = r"(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)"
_WORD = r"[0-9A-Za-z-]+"
# As far as a text could still become a version: what follows is the first character that cannot be read.
_BEGUN = re.compile(
    rf"(?:{_NUMBER}(?:\.(?:{_NUMBER}(?:\.(?:{_NUMBER}"
    rf"(?:-(?:{_IDENTIFIER}(?:\.{_IDENTIFIER})*\.?)?)?(?:\+(?:{_WORD}(?:\.{_WORD})*\.?)?)?)?)?)?)?)?"
)


def _too_large(text: str) -> ValueError:
    return ValueError(f"{quoted(text)} is not a semantic version: a number is above {NUMBER_LIMIT - 1}")


def _unreadable(text: str) -> ValueError:
    begun = _BEGUN.match(text)
    end = begun.end() if begun else 0
    if end == len(text) and text.partition("-")[0].count(".") >= 2 and text[-1] not in "-+.":
        return _too_large(text)  # nothing else is wrong: a number has more digits than Python reads
    found = f"{quoted(text[end])} at character {end + 1}" if end < len(text) else "the end of the text"
    return ValueError(
        f"{quoted(text)} is not a semantic version: expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD], found {found}"
    )


def _numbers(identifiers: Identifiers) -> list[int]:
    return [value for _, value in identifiers if isinstance(value, int)]
