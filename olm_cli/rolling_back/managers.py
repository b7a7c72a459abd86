"""Who else says what an extension asks for: field managers that apply it again and again, as GitOps tools do. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from olmv1.manifests import Manifest

__all__ = ["managers_of"]

_PATH = ("f:spec", "f:source", "f:catalog")
# A person, who knows.
_PEOPLE = ("kubectl", "olm-")


def managers_of(ext: Manifest, fields: Collection[str]) -> tuple[str, ...]:
    """The managers of any of these fields of `spec.source.catalog`, sorted; people are left out."""
    found: set[str] = set()
    entries = ext["metadata"].get("managedFields")
    for entry in entries if isinstance(entries, list) else ():
        manager = str(entry.get("manager") or "")
        if not manager.startswith(_PEOPLE) and not entry.get("subresource") and _owns(entry, fields):
            found.add(manager)
    return tuple(sorted(found - {""}))


def _owns(entry: Mapping[str, object], fields: Collection[str]) -> bool:
    place = entry.get("fieldsV1")
    for name in _PATH:
        place = place.get(name) if isinstance(place, Mapping) else None
    return isinstance(place, Mapping) and any(f"f:{name}" in place for name in fields)
