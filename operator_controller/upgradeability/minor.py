"""Minor versions of OpenShift, and which comes after which. Rule: upgradeable.md 1 row 4, 3.4, 6.1.

Exceptions to "minor plus one" are data, so that the next renaming of a release needs no code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Self

__all__ = ["Minor"]

_CURRENT = re.compile(r"v?([0-9]{1,9})\.([0-9]{1,9})(?:[.+-]|\Z)", re.ASCII)

_SAME_RELEASE = {(4, 23): (5, 0)}
"""Minor → the other name of the same release, by which it is compared."""


@total_ordering
@dataclass(frozen=True, slots=True, eq=False)
class Minor:
    """`4.18`; equal and ordered as releases are: 4.23 and 5.0 are one."""

    major: int
    minor: int

    @classmethod
    def of_version(cls, text: str) -> Self:
        """The minor version of a full version; patch level, pre-release and build do not count.

        Raises: ValueError.
        """
        found = _CURRENT.match(text)
        if found is None:
            raise ValueError(f'expected an OpenShift version such as 4.18.3, found "{text}"')
        return cls(int(found[1]), int(found[2]))

    @property
    def next(self) -> Minor:
        """The minor version that the cluster can be upgraded to."""
        major, minor = self._key
        return Minor(major, minor + 1)

    @property
    def _key(self) -> tuple[int, int]:
        return _SAME_RELEASE.get((self.major, self.minor), (self.major, self.minor))

    def __eq__(self, other: object) -> bool:
        return self._key == other._key if isinstance(other, Minor) else NotImplemented

    def __lt__(self, other: Minor) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}"
