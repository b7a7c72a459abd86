"""What the oracle reads off the blobs of one package: bundles, entries, deprecations, needs of Kubernetes.

Works on the plain JSON documents of a catalog; nothing of the product is imported here.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.oracle.semver import Numbered, UnreadableError, numbered

Blob = Mapping[str, Any]


@dataclass(frozen=True)
class OracleBundle:
    """One `olm.bundle`; `number` is `None` when its version cannot be read."""

    name: str
    image: str
    number: Numbered | None
    is_deprecated: bool
    kubernetes: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class OracleEntry:
    """One entry of one channel."""

    channel: str
    name: str
    replaces: str
    skips: tuple[str, ...]
    skip_range: str


@dataclass(frozen=True)
class OracleCatalog:
    """One package of one catalog; `problem` says why a catalog cannot be used."""

    name: str
    priority: int = 0
    bundles: tuple[OracleBundle, ...] = ()
    entries: tuple[OracleEntry, ...] = ()
    channels: frozenset[str] = frozenset()
    problem: str | None = None
    has_package: bool = field(default=True)

    def members(self, channel: str) -> set[str]:
        return {entry.name for entry in self.entries if entry.channel == channel}


def oracle_catalog(name: str, blobs: Iterable[Blob], priority: int = 0) -> OracleCatalog:
    """A catalog that has the package."""
    every = list(blobs)
    gone = {
        entry["reference"].get("name")
        for blob in every
        if blob["schema"] == "olm.deprecations"
        for entry in blob["entries"]
        if entry["reference"]["schema"] == "olm.bundle"
    }
    return OracleCatalog(
        name=name,
        priority=priority,
        bundles=tuple(_bundle(blob, gone) for blob in every if blob["schema"] == "olm.bundle"),
        entries=tuple(
            _entry(blob["name"], entry)
            for blob in every
            if blob["schema"] == "olm.channel"
            for entry in blob.get("entries") or ()
        ),
        channels=frozenset(blob["name"] for blob in every if blob["schema"] == "olm.channel"),
    )


def without_package(name: str, priority: int = 0) -> OracleCatalog:
    return OracleCatalog(name, priority, has_package=False)


def unusable(name: str, problem: str, priority: int = 0) -> OracleCatalog:
    return OracleCatalog(name, priority, problem=problem, has_package=False)


def _entry(channel: str, entry: Blob) -> OracleEntry:
    skips = tuple(entry.get("skips") or ())
    return OracleEntry(channel, entry["name"], entry.get("replaces") or "", skips, entry.get("skipRange") or "")


def _bundle(blob: Blob, gone: set[str]) -> OracleBundle:
    properties = blob.get("properties") or []
    return OracleBundle(
        blob["name"], blob.get("image") or "", _number(properties), blob["name"] in gone, tuple(_needed(properties))
    )


def _number(properties: Sequence[Blob]) -> Numbered | None:
    for each in properties:
        if each["type"] == "olm.package":
            try:
                return numbered(each["value"]["version"], each["value"].get("release"))
            except (UnreadableError, KeyError, TypeError):
                return None
    return None


def _needed(properties: Sequence[Blob]) -> Iterable[tuple[int, int, int]]:
    """The lowest versions of Kubernetes that the bundle asks for; texts that are no version ask for nothing."""
    for each in properties:
        value = each.get("value") or {}
        text = None
        if each["type"] == "olm.csv.metadata":
            text = value.get("minKubeVersion")
        elif each["type"] == "olm.kubeversion":
            text = value.get("version")
        elif each["type"] == "olm.bundle.object":
            document = json.loads(base64.b64decode(value["data"]))
            if document.get("kind") == "ClusterServiceVersion":
                text = document.get("spec", {}).get("minKubeVersion")
        if isinstance(text, str) and (found := kubernetes(text)) is not None:
            yield found


def kubernetes(text: str) -> tuple[int, int, int] | None:
    """Major, minor and patch of a version of Kubernetes: `v1.28`, `1.28.3-gke.1`."""
    found = re.fullmatch(r"v?([0-9]+)\.([0-9]+)(?:\.([0-9]+))?(?:[-+].*)?", text)
    return (int(found[1]), int(found[2]), int(found[3] or 0)) if found else None
