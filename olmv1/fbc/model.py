"""The values of a file-based catalog: packages, channels, bundles, deprecations and the blobs they come from.

Owns the shapes only; `package` fills them from blobs, the resolver and the `olm` command read them. Property values
stay JSON text (`msgspec.Raw`): a catalog is large and nobody needs all of it decoded. Field names are the wire's, in
snake case.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec

__all__ = [
    "PROPERTY_PACKAGE",
    "SCHEMA_BUNDLE",
    "SCHEMA_CHANNEL",
    "SCHEMA_DEPRECATIONS",
    "SCHEMA_PACKAGE",
    "Blob",
    "Bundle",
    "Channel",
    "Deprecation",
    "Entry",
    "Package",
    "Property",
    "RelatedImage",
]

SCHEMA_PACKAGE = "olm.package"
SCHEMA_CHANNEL = "olm.channel"
SCHEMA_BUNDLE = "olm.bundle"
SCHEMA_DEPRECATIONS = "olm.deprecations"

PROPERTY_PACKAGE = "olm.package"


@dataclass(frozen=True, slots=True)
class Blob:
    """One document of a catalog in its normal form.

    `json` is one line of compact JSON with sorted keys, without a newline at its end. `schema`, `package` and `name`
    are the blob's own fields, empty when absent (the `package` of an `olm.package` blob is empty: its name is the
    package). `path`, `document` and `line` say where it was written; two blobs are equal wherever they come from.
    Rule: fbc.md 6 and 13.
    """

    schema: str
    package: str
    name: str
    json: bytes
    path: str = field(default="", compare=False)
    document: int = field(default=0, compare=False)
    line: int = field(default=0, compare=False)


class Property(msgspec.Struct, frozen=True, gc=False):
    """One property of a bundle; `value` is its JSON text (`bytes(property.value)`)."""

    type: str = ""
    value: msgspec.Raw = msgspec.Raw(b"null")

    def __hash__(self) -> int:
        return hash((self.type, bytes(self.value)))


class RelatedImage(msgspec.Struct, frozen=True, gc=False):
    """One image that a bundle uses; both fields may be empty."""

    name: str = ""
    image: str = ""


class Bundle(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One `olm.bundle` blob. `image` is empty when the blob names none."""

    name: str = ""
    package: str = ""
    image: str = ""
    properties: tuple[Property, ...] = ()
    related_images: tuple[RelatedImage, ...] = ()

    @property
    def version_text(self) -> str | None:
        """`version` of the first `olm.package` property as written; `None` when there is no such text."""
        return self._identity("version")

    @property
    def release_text(self) -> str | None:
        """`release` of the first `olm.package` property; `""` when explicitly empty, `None` when not given."""
        return self._identity("release")

    def property_values(self, type: str) -> list[bytes]:  # noqa: A002 - the word of the wire
        """The JSON text of every property of that type, in the order of the blob."""
        return [bytes(found.value) for found in self.properties if found.type == type]

    def _identity(self, member: str) -> str | None:
        for found in self.properties:
            if found.type == PROPERTY_PACKAGE:
                return _member_text(found.value, member)
        return None


class Entry(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One entry of a channel: a bundle name and the bundles it is a successor of."""

    name: str = ""
    replaces: str = ""
    skips: tuple[str, ...] = ()
    skip_range: str = ""


class Channel(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """One `olm.channel` blob."""

    name: str = ""
    package: str = ""
    entries: tuple[Entry, ...] = ()


class Deprecation(msgspec.Struct, frozen=True, gc=False):
    """What an `olm.deprecations` blob says about one package, channel or bundle.

    `schema` is `olm.package`, `olm.channel` or `olm.bundle`; `name` is empty for the package itself.
    """

    schema: str = ""
    name: str = ""
    message: str = ""


class Package(msgspec.Struct, frozen=True, gc=False):
    """Everything that one catalog says about one package, each part in the order of the catalog.

    Nothing is validated against anything: entries may name bundles that do not exist, names may occur twice, versions
    may be unreadable, and `default_channel` is empty when no `olm.package` blob was found. `other_schemas` names the
    schemas of the remaining blobs, sorted, each once.
    """

    name: str
    default_channel: str = ""
    channels: tuple[Channel, ...] = ()
    bundles: tuple[Bundle, ...] = ()
    deprecations: tuple[Deprecation, ...] = ()
    other_schemas: tuple[str, ...] = ()
    description: str = ""


# Numbers are kept as written, so that an unquoted `version: 1.10` is shown as the catalog has it.
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_TEXT = msgspec.json.Decoder(str)


def _member_text(value: msgspec.Raw, member: str) -> str | None:
    """The text of a string or number member; `None` when absent, null or of another type."""
    try:
        members = _MEMBERS.decode(value)
    except (msgspec.DecodeError, RecursionError):
        return None
    raw = bytes(members[member] if member in members else _folded(members, member))
    if raw[:1] == b'"':
        return _TEXT.decode(raw)
    return raw.decode() if raw[:1] in _NUMBER_START else None


def _folded(members: dict[str, msgspec.Raw], member: str) -> msgspec.Raw:
    # Known names are matched ignoring letter case at every level (fbc.md 7); the exact spelling goes first.
    return next((raw for key, raw in members.items() if key.casefold() == member), _NULL)


_NULL = msgspec.Raw(b"null")
_NUMBER_START = tuple(bytes([character]) for character in b"-0123456789")
