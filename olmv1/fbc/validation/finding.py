"""What validation says: one finding for each fault, with a stable code. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Self

from olmv1.fbc.errors import place_of
from olmv1.fbc.model import SCHEMA_PACKAGE

__all__ = ["Code", "Finding", "Phase", "Place", "Severity", "Subject"]


class Severity(StrEnum):
    """`error`: `opm validate` refuses the catalog. `warning`: it is taken, and hardly meant so."""

    ERROR = "error"
    WARNING = "warning"


class Phase(IntEnum):
    """When the reference would find it, and that only warnings come from `LINT`. Rule: fbc.md 9 and 16."""

    LOAD = 1
    CONVERSION = 2
    MODEL = 3
    LINT = 4


class Code(StrEnum):
    """Every kind of finding. The text is stable: scripts may rely on it.

    `phase` is where it belongs; `is_schema_rule`: a warning that strict validation makes an error.
    """

    phase: Phase
    is_schema_rule: bool

    def __new__(cls, text: str, phase: Phase = Phase.LINT, is_schema_rule: bool = False) -> Self:
        """A code with its phase."""
        made = str.__new__(cls, text)
        made._value_ = text
        made.phase = phase
        made.is_schema_rule = is_schema_rule
        return made

    UNREADABLE = "unreadable", Phase.LOAD
    NOT_AN_OBJECT = "not-an-object", Phase.LOAD
    BAD_META = "bad-meta", Phase.LOAD
    NO_SCHEMA = "no-schema", Phase.LOAD
    PACKAGE_MANIFEST = "package-manifest", Phase.LOAD
    WRONG_TYPE = "wrong-type", Phase.LOAD
    BAD_ICON_DATA = "bad-icon-data", Phase.LOAD
    BAD_BUNDLE_OBJECT = "bad-bundle-object", Phase.LOAD

    PACKAGE_NAME = "package-name", Phase.CONVERSION
    DUPLICATE_PACKAGE = "duplicate-package", Phase.CONVERSION
    UNKNOWN_PACKAGE = "unknown-package", Phase.CONVERSION
    NO_PACKAGE = "no-package", Phase.CONVERSION
    CHANNEL_NAME = "channel-name", Phase.CONVERSION
    DUPLICATE_CHANNEL = "duplicate-channel", Phase.CONVERSION
    ENTRY_NAME = "entry-name", Phase.CONVERSION
    DUPLICATE_ENTRY = "duplicate-entry", Phase.CONVERSION
    ENTRY_WITHOUT_BUNDLE = "entry-without-bundle", Phase.CONVERSION
    DUPLICATE_BUNDLE = "duplicate-bundle", Phase.CONVERSION
    BUNDLE_IN_NO_CHANNEL = "bundle-in-no-channel", Phase.CONVERSION
    BAD_PROPERTY = "bad-property", Phase.CONVERSION
    PACKAGE_PROPERTY = "package-property", Phase.CONVERSION
    BAD_IMAGE = "bad-image", Phase.CONVERSION
    BAD_VERSION = "bad-version", Phase.CONVERSION
    BAD_RELEASE = "bad-release", Phase.CONVERSION
    BAD_DEPRECATION = "bad-deprecation", Phase.CONVERSION
    DUPLICATE_DEPRECATION = "duplicate-deprecation", Phase.CONVERSION

    NO_DEFAULT_CHANNEL = "no-default-channel", Phase.MODEL
    UNKNOWN_DEFAULT_CHANNEL = "unknown-default-channel", Phase.MODEL
    NO_CHANNEL = "no-channel", Phase.MODEL
    DUPLICATE_VERSION = "duplicate-version", Phase.MODEL
    NO_DEPRECATION_MESSAGE = "no-deprecation-message", Phase.MODEL
    EMPTY_CHANNEL = "empty-channel", Phase.MODEL
    CHANNEL_HEAD = "channel-head", Phase.MODEL
    CHANNEL_CYCLE = "channel-cycle", Phase.MODEL
    STRANDED_BUNDLES = "stranded-bundles", Phase.MODEL
    EMPTY_SKIP = "empty-skip", Phase.MODEL
    BAD_SKIP_RANGE = "bad-skip-range", Phase.MODEL
    NO_IMAGE = "no-image", Phase.MODEL
    RELEASE_NAME = "release-name", Phase.MODEL
    RELEASE_AND_BUILD = "release-and-build", Phase.MODEL

    EMPTY_PACKAGE = "empty-package", Phase.LINT, True
    PROPERTIES_SHAPE = "properties-shape", Phase.LINT, True
    PROPERTY_WITHOUT_TYPE = "property-without-type", Phase.LINT, True
    NULL_PROPERTY = "null-property", Phase.LINT, True
    CSV_METADATA_TWICE = "csv-metadata-twice", Phase.LINT, True
    EMPTY_GVK = "empty-gvk", Phase.LINT, True
    BAD_REQUIREMENT = "bad-requirement", Phase.LINT, True
    ICON = "icon", Phase.LINT, True
    DUPLICATE_RELATED_IMAGE = "duplicate-related-image", Phase.LINT, True
    SKIP_RANGE_EMPTY = "skip-range-empty", Phase.LINT, True
    SKIP_RANGE_OWN_VERSION = "skip-range-own-version", Phase.LINT, True
    BUNDLE_NAME = "bundle-name", Phase.LINT, True
    CHANNEL_NAME_UNSELECTABLE = "channel-name-unselectable", Phase.LINT, True

    UNQUOTED_NUMBER = "unquoted-number"
    UNQUOTED_BOOLEAN = "unquoted-boolean"
    DUPLICATE_KEY = "duplicate-key"
    UNKNOWN_FIELD = "unknown-field"
    FIELD_SPELLING = "field-spelling"
    REQUIREMENT_ADVICE = "requirement-advice"
    EQUAL_VERSIONS = "equal-versions"
    PASSED_OVER = "passed-over"
    IMAGE_MISSING = "image-missing"
    IMAGE_UNCHECKED = "image-unchecked"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is written: file, document (from 1, empty ones not counted) and line (from 1); 0: not known."""

    path: str = ""
    document: int = 0
    line: int = 0

    def __str__(self) -> str:
        if not self.path:
            return ""
        return place_of(self.path, self.document) + (f", line {self.line}" if self.line else "")


@dataclass(frozen=True, slots=True)
class Subject:
    """What a finding is about; fields that are not known are empty. A package has its name in both."""

    schema: str = ""
    package: str = ""
    name: str = ""

    def __str__(self) -> str:
        if not self.name:
            return self.schema
        called = f'{self.schema or "blob"} "{self.name}"'
        is_part = self.package and self.schema != SCHEMA_PACKAGE
        return f'{called} of package "{self.package}"' if is_part else called


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault. `message` is complete without place and subject, and holds no more of the catalog than an excerpt.

    `branches`: where `tree` shows it, and in which words, when subject and message do not say it: the names of the
    branches (`package "foo"`) and last the text.
    """

    severity: Severity
    code: Code
    message: str
    place: Place = Place()
    subject: Subject = Subject()
    branches: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        where = str(self.place)
        about = str(self.subject)
        prefix = f"{where} ({about}): " if where and about else f"{where or about}: " if where or about else ""
        return prefix + self.message
