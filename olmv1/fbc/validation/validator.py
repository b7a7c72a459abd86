"""All blobs of a catalog, one after the other, then everything that is wrong with them.

Large values are looked at when their blob is added and not kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.constraints import Rules
from olmv1.fbc.errors import FbcError
from olmv1.fbc.meta import Meta, meta_of, type_word
from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_PACKAGE
from olmv1.fbc.validation.bundle_blob import read_bundle
from olmv1.fbc.validation.channel_blob import read_channel
from olmv1.fbc.validation.conversion import converted
from olmv1.fbc.validation.deprecations_blob import read_deprecations
from olmv1.fbc.validation.facts import CatalogFacts, Spot, folder_of
from olmv1.fbc.validation.finding import Code, Finding, Place, Severity, Subject
from olmv1.fbc.validation.model import check_package
from olmv1.fbc.validation.notes import Notes
from olmv1.fbc.validation.package_blob import read_package
from olmv1.fbc.validation.properties import check_shape
from olmv1.fbc.validation.requirements import UNDECIDED, check_requirements
from olmv1.fbc.validation.schemas import BLOBS, PARSE_WORDS
from olmv1.fbc.validation.shapes import Fault, FaultKind, normal
from olmv1.yaml import dump_json

__all__ = ["Report", "UsedImage", "Validator"]


@dataclass(frozen=True, slots=True)
class UsedImage:
    """One image that a bundle names, and the first place where it does."""

    image: str
    place: Place
    subject: Subject


@dataclass(frozen=True, slots=True)
class Report:
    """What validation found, how much of it (also of what was not kept), and how much was read."""

    findings: tuple[Finding, ...]
    errors: int
    warnings: int
    packages: int
    channels: int
    bundles: int
    images: tuple[UsedImage, ...] = ()


class Validator:
    """Takes the blobs of one catalog in load order; `report` ends it.

    `is_strict`: breaches of schema rules are errors. `keeps_images`: the report lists the images of all bundles.
    `keeps`: how many findings of each severity it lists, `None`: all. `rules` reads the rules in CEL of requirements.
    """

    def __init__(
        self,
        *,
        is_strict: bool = False,
        keeps_images: bool = False,
        keeps: int | None = None,
        rules: Rules = UNDECIDED,
    ) -> None:
        self._rules = rules
        self._notes = Notes(is_strict=is_strict, keeps=keeps)
        self._facts = CatalogFacts()
        self._number = 0
        self._images: dict[str, UsedImage] | None = {} if keeps_images else None
        self._packages_of_file: tuple[str, set[str]] = ("", set())

    def add(self, value: object, place: Place) -> Spot:
        """Check one decoded document, and keep what the others need to know of it; the spot for findings about it."""
        if not isinstance(value, dict):
            spot = self._spot(place, Subject())
            self._notes.add(spot, Code.NOT_AN_OBJECT, f"expected an object, found {type_word(value)}")
            return spot
        try:
            meta = meta_of(value)
        except FbcError as error:
            spot = self._spot(place, _guessed(value))
            self._notes.add(spot, Code.BAD_META, str(error))
            self._miss(spot)
            return spot
        spot = self._spot(place, _subject(meta))
        if not meta.package and meta.schema not in _OF_A_PACKAGE and any(key.casefold() == "package" for key in value):
            self._notes.add(spot, Code.EMPTY_PACKAGE, "package is empty: name one, or leave the field out")
        if not meta.schema:
            self._without_schema(value, spot)
        elif meta.schema in BLOBS:
            self._of_schema(meta.schema, value, spot)
        else:
            self._of_unknown_schema(value, spot)
        return spot

    def unreadable(self, place: Place, message: str) -> None:
        """Note that a file cannot be read from `place` on: what it would have held is not missed elsewhere."""
        self._notes.add(self._spot(place, Subject()), Code.UNREADABLE, message)
        self._facts.unread |= self._packages_of_file[1] if self._packages_of_file[0] == place.path else set()
        # At the root lies everything of a flat catalog, and nothing of one with a folder for each package.
        if folder := folder_of(place.path):
            self._facts.unread_folders.add(folder)

    def note(self, spot: Spot, line: int, code: Code, message: str) -> None:
        """Note a finding that somebody else made about a blob."""
        self._notes.add_at_line(spot, line, code, message)

    def note_file(self, path: str, code: Code, message: str) -> None:
        """Note a finding about a whole file."""
        self._notes.add(self._spot(Place(path), Subject()), code, message)

    def report(self) -> Report:
        """Everything that was found."""
        facts = self._facts
        for package in converted(facts, self._notes).values():
            check_package(package, self._notes)
        return Report(
            self._notes.sorted(),
            self._notes.count(Severity.ERROR),
            self._notes.count(Severity.WARNING),
            len(facts.packages),
            len(facts.channels),
            len(facts.bundles),
            tuple((self._images or {}).values()),
        )

    def _spot(self, place: Place, subject: Subject) -> Spot:
        self._number += 1
        if self._packages_of_file[0] != place.path:
            self._packages_of_file = (place.path, set())
        if subject.package:
            self._packages_of_file[1].add(subject.package)
        return Spot(self._number, place, subject)

    def _miss(self, spot: Spot) -> None:
        """Remember that something of a package, or of a folder, is not known."""
        if spot.subject.package:
            self._facts.unread.add(spot.subject.package)
        elif folder := folder_of(spot.place.path):
            self._facts.unread_folders.add(folder)

    def _without_schema(self, value: Mapping[str, Any], spot: Spot) -> None:
        if (manifest := _package_manifest(value)) is not None:
            self._notes.add(spot, Code.PACKAGE_MANIFEST, manifest)
            return
        excerpt = dump_json(value).decode()
        excerpt = excerpt if len(excerpt) <= _EXCERPT else f"{excerpt[:_EXCERPT]}…"
        self._notes.add(spot, Code.NO_SCHEMA, f"object '{excerpt}' is missing root schema field")

    def _of_unknown_schema(self, value: Mapping[str, Any], spot: Spot) -> None:
        if "properties" in value:
            check_shape(value["properties"], spot, self._notes)

    def _of_schema(self, schema: str, value: Mapping[str, Any], spot: Spot) -> None:
        faults: list[Fault] = []
        fields = normal(value, BLOBS[schema], faults)
        for fault in faults:
            self._notes.add(spot, *_described(fault, PARSE_WORDS[schema]))
        facts, notes = self._facts, self._notes
        if schema == SCHEMA_PACKAGE:
            facts.packages.append(read_package(fields, spot, notes))
        elif schema == SCHEMA_CHANNEL:
            facts.channels.append(read_channel(fields, spot, notes))
        elif schema == SCHEMA_BUNDLE:
            facts.bundles.append(read_bundle(fields, spot, notes))
            check_requirements(fields.get("properties", ()), self._rules, spot, notes)
            self._keep_images(fields, spot)
        else:
            facts.deprecations.append(read_deprecations(fields, spot))
        if any(fault.kind is FaultKind.TYPE for fault in faults):
            self._miss(spot)

    def _keep_images(self, fields: Mapping[str, Any], spot: Spot) -> None:
        if self._images is None:
            return
        for image in (fields.get("image", ""), *(each.get("image", "") for each in fields.get("relatedImages", ()))):
            if image:
                self._images.setdefault(image, UsedImage(image, spot.place, spot.subject))


_EXCERPT = 40  # characters
_OF_A_PACKAGE = BLOBS.keys() - {SCHEMA_PACKAGE}
"""Schemas whose blobs must have a package, so that an empty one is an error of its own."""


def _subject(meta: Meta) -> Subject:
    return Subject(meta.schema, meta.name if meta.schema == SCHEMA_PACKAGE else meta.package, meta.name)


def _guessed(value: Mapping[str, Any]) -> Subject:
    """What a blob is about whose three fields are not all well."""
    texts = [text if isinstance(text := value.get(key), str) else "" for key in Meta._fields]
    return _subject(Meta(*texts))


def _described(fault: Fault, word: str) -> tuple[Code, str]:
    match fault.kind:
        case FaultKind.TYPE:
            return Code.WRONG_TYPE, f"parse {word}: {fault.message}"
        case FaultKind.UNKNOWN:
            return Code.UNKNOWN_FIELD, fault.message
        case FaultKind.SPELLING:
            return Code.FIELD_SPELLING, fault.message


def _package_manifest(value: Mapping[str, Any]) -> str | None:
    """What to say of a document in the format that came before file-based catalogs; `None` for any other."""
    name, channels = value.get("packageName"), value.get("channels")
    if not isinstance(name, str) or not isinstance(channels, list):
        return None
    if not any(isinstance(channel, dict) and "currentCSV" in channel for channel in channels):
        return None
    return (
        f'this is the old package manifest format (packageName "{name[:60]}", channels with currentCSV), not a '
        "file-based catalog: describe the package with olm.package, olm.channel and olm.bundle"
    )
