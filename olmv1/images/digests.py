"""Content digests of the registry protocol: parsing them and computing them.

Pure. Every module of this room speaks of content by `Digest`; nothing here reads anything.
"""

from __future__ import annotations

import hashlib
import re
from typing import Protocol

__all__ = ["Digest", "Hasher", "digest_of"]

_FORM = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[A-Fa-f0-9]+", re.ASCII)
_HEX_LENGTHS = {"sha256": 64, "sha384": 96, "sha512": 128}


class Hasher(Protocol):
    """The part of a `hashlib` object that verification needs."""

    def update(self, data: bytes, /) -> None:
        """Add `data` to what is hashed."""

    def hexdigest(self) -> str:
        """The hash of everything added so far, in lower-case hex."""


class Digest(str):
    """A verified spelling of `<algorithm>:<hex>`, for example `sha256:0f…9a`; it is its own text."""

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Digest:
        """The digest that `text` spells.

        Raises:
            ValueError: the form, the algorithm (sha256, sha384, sha512) or the length is wrong; the texts are those
                that users of the reference know.
        """
        if not _FORM.fullmatch(text):
            raise ValueError("invalid checksum digest format")
        algorithm, _, digits = text.partition(":")
        length = _HEX_LENGTHS.get(algorithm)
        if length is None:
            raise ValueError("unsupported digest algorithm")
        if len(digits) != length:
            raise ValueError("invalid checksum digest length")
        if digits != digits.lower():
            raise ValueError("invalid checksum digest format")
        return cls(text)

    @property
    def algorithm(self) -> str:
        """`sha256`, `sha384` or `sha512`."""
        return self.partition(":")[0]

    @property
    def hex(self) -> str:
        """The hash in lower-case hex."""
        return self.partition(":")[2]

    def hasher(self) -> Hasher:
        """An empty hash of this digest's algorithm."""
        return hashlib.new(self.algorithm)

    def fits(self, data: bytes) -> bool:
        """Whether `data` is the content that this digest names."""
        return hashlib.new(self.algorithm, data).hexdigest() == self.hex


def digest_of(data: bytes) -> Digest:
    """The sha256 digest of `data`."""
    return Digest(f"sha256:{hashlib.sha256(data).hexdigest()}")
