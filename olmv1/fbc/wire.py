"""Typed reading of the known blobs: JSON line → struct, with the reference's leniency about keys.

Known field names match ignoring letter case at every level and a null counts as absent (fbc.md 7). Nearly all blobs are
spelled exactly, so they are decoded as they are; only a line that holds another spelling, or that does not decode, goes
through `spelling` first. Called by `package` only.
"""

from __future__ import annotations

import re
from typing import Generic, TypeVar

import msgspec

from olmv1.fbc.errors import FbcError
from olmv1.fbc.model import SCHEMA_PACKAGE, Bundle, Channel, Deprecation
from olmv1.fbc.spelling import LEAF, OPAQUE, Shape, is_misspelled, respelled

__all__ = ["BUNDLE", "CHANNEL", "DEPRECATIONS", "HEAD", "PACKAGE", "DeprecationsBlob", "Head", "PackageBlob", "Reader"]


class Head(msgspec.Struct, frozen=True, gc=False):
    """The three fields that say what a blob is."""

    schema: str = ""
    package: str = ""
    name: str = ""

    @property
    def owner(self) -> str:
        """The package that the blob belongs to: for `olm.package` its name. Rule: fbc.md 6."""
        return self.name if self.schema == SCHEMA_PACKAGE else self.package


class PackageBlob(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One `olm.package` blob without its icon."""

    name: str = ""
    default_channel: str = ""
    description: str = ""


class _Reference(msgspec.Struct, frozen=True, gc=False):
    schema: str = ""
    name: str = ""


class _DeprecationEntry(msgspec.Struct, frozen=True, gc=False):
    reference: _Reference = _Reference()
    message: str = ""


class DeprecationsBlob(msgspec.Struct, frozen=True, gc=False):
    """One `olm.deprecations` blob."""

    entries: tuple[_DeprecationEntry, ...] = ()

    def flat(self) -> tuple[Deprecation, ...]:
        """The entries as values of the model, in the order of the blob."""
        return tuple(Deprecation(e.reference.schema, e.reference.name, e.message) for e in self.entries)


_T = TypeVar("_T")


class Reader(Generic[_T]):
    """Reads the blobs of one schema; `kind` is the word for it in messages."""

    def __init__(self, kind: str, type_: type[_T], shape: Shape) -> None:
        self._kind = kind
        self._decoder = msgspec.json.Decoder(type_)
        self._shape = shape

    def read(self, line: bytes) -> _T:
        """The blob as a struct; fields that are absent or null have their empty value.

        Raises: FbcError (`parse channel: expected list, found string at entries`).
        """
        try:
            if not is_misspelled(line):
                return self._decoder.decode(line)
        except (msgspec.DecodeError, RecursionError):
            pass  # The respelled blob decodes, or tells what is wrong with it.
        try:
            return self._decoder.decode(respelled(line, self._shape))
        except msgspec.DecodeError as error:
            raise FbcError(f"parse {self._kind}: {_finding(error)}") from error
        except RecursionError as error:
            raise FbcError(f"parse {self._kind}: too deeply nested") from error


_EXPECTED = re.compile(r"Expected `([^`]*)`, got `([^`]*)`(?: - at `\$\.?([^`]*)`)?")
_WORDS = {"str": "string", "int": "number", "float": "number", "array": "list", "bool": "boolean"}


def _finding(error: msgspec.DecodeError) -> str:
    """What is wrong in the words of JSON: `expected list, found string at entries`."""
    match = _EXPECTED.fullmatch(str(error))
    if match is None:
        return str(error)
    expected, found, place = match.groups()
    where = f" at {place}" if place else ""
    return f"expected {_WORDS.get(expected, expected)}, found {_WORDS.get(found, found)}{where}"


_HEAD = {"schema": LEAF, "package": LEAF, "name": LEAF}
_ENTRY = {"name": LEAF, "replaces": LEAF, "skips": LEAF, "skipRange": LEAF}
_REFERENCE = {"schema": LEAF, "name": LEAF}
_PROPERTY = {"type": LEAF, "value": OPAQUE}
_IMAGE = {"name": LEAF, "image": LEAF}

HEAD = Reader("blob", Head, _HEAD)
PACKAGE = Reader("package", PackageBlob, {**_HEAD, "defaultChannel": LEAF, "description": LEAF})
CHANNEL = Reader("channel", Channel, {**_HEAD, "entries": _ENTRY})
BUNDLE = Reader("bundle", Bundle, {**_HEAD, "image": LEAF, "properties": _PROPERTY, "relatedImages": _IMAGE})
DEPRECATIONS = Reader(
    "deprecations", DeprecationsBlob, {**_HEAD, "entries": {"reference": _REFERENCE, "message": LEAF}}
)
