"""What the API server drops from a custom resource, and what it fills in. Rule: applying.md 5.4 (data loss).

Called by the check of stored objects. A structural schema keeps the fields that it names; `metadata`, `apiVersion` and
`kind` of a resource are always kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from operator_controller.crd_safety.schemas import ROOT, Schema, child_of, keeps_unknown

__all__ = ["Place", "filled", "places_in", "pruned"]

_OF_RESOURCES = frozenset({"apiVersion", "kind", "metadata"})


Place = tuple[str | int, ...]
"""Keys and indices."""


def pruned(schema: Schema, value: Any) -> tuple[Any, list[Place]]:
    """A resource without the fields that `schema` does not know, and where those were."""
    lost: list[Place] = []
    return _pruned(value, schema, (), lost), lost


def _pruned(value: Any, schema: Schema | None, place: Place, lost: list[Place]) -> Any:
    if isinstance(value, list):
        _, items = child_of(schema, 0)
        return [_pruned(item, items, (*place, number), lost) for number, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    is_resource = not place or (schema or {}).get("x-kubernetes-embedded-resource") is True
    kept = {}
    for key, item in value.items():
        _, found = child_of(schema, key)
        if is_resource and key in _OF_RESOURCES:
            kept[key] = item
        elif found is not None:
            kept[key] = _pruned(item, found, (*place, key), lost)
        elif keeps_unknown(schema or {}):
            kept[key] = item
        elif (schema or {}).get("additionalProperties") is True:
            # The key stays, and nothing is known about what it holds.
            kept[key] = _pruned(item, None, (*place, key), lost)
        else:
            lost.append((*place, key))
    return kept


def filled(schema: Schema, value: Any) -> tuple[Any, list[Place]]:
    """`value` with defaults where fields are missing, and where those are; without nulls that are not allowed."""
    given: list[Place] = []
    return _filled(value, schema, (), given), given


def _filled(value: Any, schema: Schema, place: Place, given: list[Place]) -> Any:
    if isinstance(value, list):
        items = child_of(schema, 0)[1] or {}
        return [_filled(item, items, (*place, number), given) for number, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    found: dict[str, Any] = {}
    for key, item in _without_nulls(schema, value):
        found[key] = _filled(item, child_of(schema, key)[1] or {}, (*place, key), given)
    properties = schema.get("properties")
    for key, own in properties.items() if isinstance(properties, dict) else ():
        if key not in found and isinstance(own, dict) and own.get("default") is not None:
            given.append((*place, key))
            # What is given with it is no news of its own.
            found[key] = _filled(own["default"], own, (), [])
    return found


def _without_nulls(schema: Schema, value: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        own = child_of(schema, key)[1]
        if item is not None or own is None or own.get("nullable") is True:
            yield key, item


def places_in(schema: Schema, value: Any, path: str = ROOT) -> Iterator[str]:
    """The paths of everything that `value` has, as `schema` calls them; the own path first."""
    yield path
    keys = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for key in keys:
        segment, own = child_of(schema, key)
        yield from places_in(own or {}, value[key], f"{path}.{segment}")
