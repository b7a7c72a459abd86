"""What a resolution answers: a chosen bundle, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from olmv1.fbc import Bundle
from olmv1.versions import VersionRelease
from operator_controller.resolver.deprecations import PackageDeprecations
from operator_controller.resolver.trace import Trace

__all__ = ["Chosen", "Note", "NoteKind", "Unresolved"]


class NoteKind(StrEnum):
    """What a note is about; fit to be the reason of an Event."""

    CATALOG_PASSED_OVER = "CatalogPassedOver"
    INVALID_RANGE = "InvalidRange"
    KUBERNETES_TOO_OLD = "KubernetesTooOld"
    MAJOR_UPGRADE = "MajorUpgrade"
    PRERELEASES_HIDDEN = "PrereleasesHidden"
    RESPIN = "Respin"
    ROLLBACK = "Rollback"
    SAME_VERSION_OTHER_NAME = "SameVersionOtherName"
    SKIPPED_BUNDLE = "SkippedBundle"
    SURPRISING_RANGE = "SurprisingRange"
    UNKNOWN_CHANNEL = "UnknownChannel"


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know about an answer beside the condition message; one sentence."""

    kind: NoteKind
    message: str


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    """The bundle to have. `is_installed`: it is the installed one (name, version and release), whatever its image.

    `deprecations` are those of the catalog that the bundle comes from.
    """

    bundle: Bundle
    version: VersionRelease
    catalog: str
    deprecations: PackageDeprecations
    trace: Trace
    is_installed: bool
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Unresolved:
    """No bundle; `message` is the condition message.

    `is_terminal`: only a change of the request or of a catalog can help, both of which are watched. `problem_catalogs`:
    the unusable catalogs that the answer waits for, sorted.
    """

    message: str
    trace: Trace
    is_terminal: bool = False
    problem_catalogs: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
