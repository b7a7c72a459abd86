"""Bundle releases: republications of one version, and the order of version and release together.

Rule: fbc.md 11 with the release feature on.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from olmv1.versions.precedence import NUMBER_LIMIT, Identifiers, Key, identifiers_of
from olmv1.versions.quoting import quoted
from olmv1.versions.version import Version

__all__ = ["Release", "VersionRelease"]

_LENGTH_LIMIT = 20
_SHAPE = re.compile(r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*")


@dataclass(frozen=True, slots=True, order=True)
class Release:
    """One release such as `2` or `el9.1`; ordered identifier by identifier like a pre-release."""

    key: Identifiers
    text: str = field(compare=False)

    @classmethod
    def parse(cls, text: str) -> Release:
        """The release that `text` spells: at most 20 characters, dot-separated identifiers, no leading zeros.

        Raises: ValueError naming the text. An empty text is no release: it is an error here.
        """
        if len(text) > _LENGTH_LIMIT:
            raise ValueError(f"{quoted(text)} is not a release: expected at most {_LENGTH_LIMIT} characters")
        if not _SHAPE.fullmatch(text):
            raise ValueError(f"{quoted(text)} is not a release: expected dot-separated letters, digits and hyphens")
        try:
            key = identifiers_of(text)
        except ValueError as error:
            raise ValueError(f"{quoted(text)} is not a release: {error}") from error
        if any(isinstance(value, int) and value >= NUMBER_LIMIT for _, value in key):
            raise ValueError(f"{quoted(text)} is not a release: a number is above {NUMBER_LIMIT - 1}")
        return cls(key, text)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True, order=True)
class VersionRelease:
    """What identifies the content of a bundle within its package: version first, then release; no release is lowest."""

    version: Version = field(compare=False)
    release: Release | None = field(default=None, compare=False)
    key: tuple[Key, Identifiers] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (self.version.key, self.release.key if self.release else ()))

    @classmethod
    def parse(cls, version: str, release: str | None) -> VersionRelease:
        """Version and release out of a bundle's texts.

        `release` `None` (not given): build metadata that is a release becomes the release and leaves the version.
        `release` given: it counts and build metadata stays; the empty text says that there is none.
        Raises: ValueError naming the text that is unreadable.
        """
        parsed = Version.parse(version)
        if release is not None:
            return cls(parsed, Release.parse(release) if release else None)
        if not parsed.build:
            return cls(parsed)
        try:
            return cls(parsed.without_build(), Release.parse(parsed.build))
        except ValueError:
            return cls(parsed)

    def __str__(self) -> str:
        if self.release is None:
            return self.version.text
        joint = "+" if not self.version.build else " release "
        return f"{self.version}{joint}{self.release}"
