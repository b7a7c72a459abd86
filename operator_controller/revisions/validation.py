"""Whether the objects of a revision can be applied at all. Rule: revisions.md 5.2, row "revision"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from olmv1.manifests import Manifest, ObjectKey, key_of

__all__ = ["validation_error"]

_DNS_1035 = re.compile(r"[a-z]([-a-z0-9]*[a-z0-9])?", re.ASCII)
_MUST_BE_EMPTY = ("uid", "generation", "generateName", "finalizers", "ownerReferences", "resourceVersion")


def validation_error(name: str, number: int, phases: Sequence[tuple[str, Sequence[Manifest]]]) -> str | None:
    """`revision validation error: …` with every finding, or `None`; `phases` are names and objects as given."""
    findings = [*_phase_findings(phases)]
    if not findings:
        findings = [*_duplicates(phases)]
    if not findings:
        return None
    return f'revision validation error: revision "{name}" ({number}): {", ".join(findings)}'


def _phase_findings(phases: Sequence[tuple[str, Sequence[Manifest]]]) -> Iterator[str]:
    for phase, objects in phases:
        if _DNS_1035.fullmatch(phase) is None:
            yield f'phase name invalid: "{phase}": expected lower-case letters, digits and "-", a letter first'
        for position, manifest in enumerate(objects):
            shape = list(_shape_findings(manifest))
            if shape:
                yield from (f'phase "{phase}": object {position}: {finding}' for finding in shape)
                continue
            key = key_of(manifest)
            for finding in _object_findings(manifest):
                yield f'phase "{phase}": {_gvk(key)} {key.namespace}/{key.name}: {finding}'


def _shape_findings(manifest: Manifest) -> Iterator[str]:
    """What keeps the object from being read at all: content by reference has passed no schema."""
    for field in ("apiVersion", "kind"):
        if not isinstance(manifest.get(field) or "", str):
            yield f"{field}: Invalid value: must be a string"
    metadata = manifest.get("metadata") or {}
    if not isinstance(metadata, Mapping):
        yield "metadata: Invalid value: must be an object"
        return
    for field in ("name", "namespace"):
        if not isinstance(metadata.get(field) or "", str):
            yield f"metadata.{field}: Invalid value: must be a string"
    for field in ("labels", "annotations"):
        found = metadata.get(field) or {}
        if not isinstance(found, Mapping) or not all(isinstance(value, str) for value in found.values()):
            yield f"metadata.{field}: Invalid value: must be a map of strings"


def _object_findings(manifest: Manifest) -> Iterator[str]:
    metadata = manifest.get("metadata") or {}
    for field in ("apiVersion", "kind"):
        if not manifest.get(field):
            yield f"{field}: Required value: must not be empty"
    if not metadata.get("name"):
        yield "metadata.name: Required value: must not be empty"
    for field in _MUST_BE_EMPTY:
        if metadata.get(field):
            yield f"metadata.{field}: Forbidden: must be empty"


def _duplicates(phases: Sequence[tuple[str, Sequence[Manifest]]]) -> Iterator[str]:
    places: defaultdict[ObjectKey, list[str]] = defaultdict(list)
    for phase, objects in phases:
        for manifest in objects:
            places[key_of(manifest)].append(phase)
    for key, found in sorted(places.items()):
        if len(found) > 1:
            yield (
                f'phase "{found[0]}": {_gvk(key)} {key.namespace}/{key.name}: '
                f"duplicate object found in phases: {', '.join(found)}"
            )


def _gvk(key: ObjectKey) -> str:
    return f"{key.api_version}, Kind={key.kind}"
