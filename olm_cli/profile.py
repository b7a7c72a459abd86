"""What a package says about itself: the words and APIs of its newest bundle. Pure; whatever a catalog holds is read."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from olmv1.fbc import Bundle
from operator_controller.resolver import Candidate, PackageIndex

__all__ = ["Api", "Profile", "profile_of"]

_METADATA = "olm.csv.metadata"
_OBJECT = "olm.bundle.object"
_API = "olm.gvk"


@dataclass(frozen=True, slots=True, order=True)
class Api:
    """A kind that a bundle provides."""

    group: str
    version: str
    kind: str

    @property
    def name(self) -> str:
        """`Lamp.lights.example.com`."""
        return f"{self.kind}.{self.group}"


@dataclass(frozen=True, slots=True)
class Profile:
    """The newest bundle of a package's default channel in its own words; empty where it says nothing.

    Without a default channel it is the newest of all. `summary` is one sentence or so, `description` all that is said.
    """

    newest: Candidate | None = None
    display_name: str = ""
    summary: str = ""
    description: str = ""
    provider: str = ""
    keywords: tuple[str, ...] = ()
    provides: tuple[Api, ...] = field(default=())


def profile_of(index: PackageIndex) -> Profile:
    """The profile of a package."""
    inside = [each for each in index.candidates if index.default_channel in each.channels]
    newest = next(iter(inside or index.candidates), None)
    if newest is None:
        return Profile()
    said = _metadata(newest.bundle)
    return Profile(
        newest=newest,
        display_name=_text(said, "displayName"),
        summary=_text(_mapping(said, "annotations"), "description"),
        description=_text(said, "description"),
        provider=_text(_mapping(said, "provider"), "name"),
        keywords=tuple(word for word in _listed(said.get("keywords")) if isinstance(word, str) and word),
        provides=tuple(sorted(set(_apis(newest.bundle)))),
    )


def _metadata(bundle: Bundle) -> Mapping[str, object]:
    """What the bundle's CSV says for people; older catalogs carry the CSV itself."""
    for raw in bundle.property_values(_METADATA):
        if found := _decoded(raw):
            return found
    for raw in bundle.property_values(_OBJECT):
        manifest = _embedded(_decoded(raw))
        if manifest.get("kind") == "ClusterServiceVersion":
            annotations = _mapping(_mapping(manifest, "metadata"), "annotations")
            return {**_mapping(manifest, "spec"), "annotations": annotations}
    return {}


def _embedded(value: Mapping[str, object]) -> Mapping[str, object]:
    try:
        return _decoded(base64.b64decode(_text(value, "data")))
    except ValueError:
        return {}


def _apis(bundle: Bundle) -> Iterator[Api]:
    for raw in bundle.property_values(_API):
        value = _decoded(raw)
        found = Api(_text(value, "group"), _text(value, "version"), _text(value, "kind"))
        if found.kind:
            yield found


def _decoded(raw: bytes) -> Mapping[str, object]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _text(mapping: Mapping[str, object], key: str) -> str:
    value = mapping.get(key)
    return value if isinstance(value, str) else ""


def _mapping(mapping: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = mapping.get(key)
    return value if isinstance(value, dict) else {}


def _listed(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
