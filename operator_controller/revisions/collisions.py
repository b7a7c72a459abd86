"""The report about an object that somebody else has: who writes it, what differs, and what a person can do.

Rule: revisions.md 5.6 and 9 row 16. List items are named as field managers name them, so only what the API server has
recorded of managers is compared inside of lists. Values are never shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from olmv1.api.names import FIELD_MANAGER_OBJECTS
from olmv1.manifests import Manifest
from operator_controller.revisions.ownership import controller_of

__all__ = ["collision_detail", "way_out"]

_LISTED = 20
_IDENTITY = frozenset({"apiVersion", "kind", "metadata", "status"})
_ABSENT = object()


@dataclass(slots=True)
class _Differences:
    """Paths of fields that the revision wants otherwise, and who set them."""

    modified: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    managers: dict[str, set[str]] = field(default_factory=dict)


def collision_detail(live: Manifest, wanted: Manifest) -> str:
    """The sections of a report behind the probes: conflicts, comparison, other managers, and the owner.

    `live` is the whole object; without its managed fields only fields that are missing altogether are found.
    """
    found = _compared(live, wanted)
    conflicts = {manager: paths for manager, paths in sorted(found.managers.items()) if paths}
    others = [manager for manager, paths in sorted(found.managers.items()) if not paths]
    lines: list[str] = []
    if conflicts:
        lines.append("Conflicts:")
        for manager, paths in conflicts.items():
            lines += [f'- "{manager}"', *_indented(paths)]
    if found.modified or found.removed:
        lines.append("Comparison:")
        for title, paths in (("Modified", found.modified), ("Removed", found.removed)):
            lines += [f"- {title}:", *_indented(paths)] if paths else []
    if others:
        lines += ["Other:", *(f'- "{manager}"' for manager in others)]
    return "\n".join([*lines, f"Conflicting Owner: {_reference(controller_of(live))}"])


def way_out(extension: str | None) -> str:
    """How a person lets a revision take an object over that nobody controls."""
    if extension is None:
        return (
            "No controller holds the object: a ClusterObjectSet with collisionProtection IfNoController takes it over, "
            "or delete it"
        )
    command = f"kubectl annotate clusterextension {extension} extras.olm.operatorframework.io/adopt=IfUnowned"
    return f"No controller holds the object: to let the extension take it over, run: {command}"


def _compared(live: Manifest, wanted: Manifest) -> _Differences:
    found = _Differences()
    metadata = {key: (wanted.get("metadata") or {}).get(key) for key in ("labels", "annotations")}
    content = {key: value for key, value in wanted.items() if key not in _IDENTITY}
    desired = {"metadata": {key: value for key, value in metadata.items() if value}, **content}
    found.removed.update(_missing(desired, live, ""))
    for entry in (live.get("metadata") or {}).get("managedFields") or ():
        if entry.get("subresource"):
            continue
        differing = set(_differing(entry.get("fieldsV1") or {}, desired, live, ""))
        found.modified |= differing
        name = str(entry.get("manager"))
        if differing or name != FIELD_MANAGER_OBJECTS:
            found.managers.setdefault(name, set()).update(differing)
    return found


def _missing(desired: object, live: object, path: str) -> Iterator[str]:
    """The fields of `desired` that `live` lacks; inside of lists nothing is known."""
    if isinstance(desired, Mapping) and desired and (live is _ABSENT or isinstance(live, Mapping)):
        for key, value in desired.items():
            inner = live.get(key, _ABSENT) if isinstance(live, Mapping) else _ABSENT
            yield from _missing(value, inner, f"{path}.{key}")
    elif live is _ABSENT:
        yield path


def _differing(fields: Mapping[str, Any], desired: object, live: object, path: str) -> Iterator[str]:
    """The paths in `fields` (managed fields of one manager) whose values differ."""
    for element, inner in fields.items():
        sign, _, text = element.partition(":")
        wanted, name = _step(sign, text, desired)
        if wanted is _ABSENT:
            continue
        present, _ = _step(sign, text, live)
        if inner:
            yield from _differing(inner, wanted, present, path + name)
        elif wanted != present:
            yield path + name


def _step(sign: str, text: str, value: object) -> tuple[object, str]:
    """Where one path element of managed fields leads to in `value`, and how it is written."""
    if sign == "f":
        return (value.get(text, _ABSENT) if isinstance(value, Mapping) else _ABSENT), f".{text}"
    if sign == "k" and isinstance(value, list):
        keys = orjson.loads(text)
        items = (item for item in value if isinstance(item, Mapping))
        found = (item for item in items if all(item.get(key, _ABSENT) == each for key, each in keys.items()))
        return next(
            found, _ABSENT
        ), f"[{','.join(f'{key}={orjson.dumps(each).decode()}' for key, each in keys.items())}]"
    return _ABSENT, ""


def _indented(paths: Iterable[str]) -> list[str]:
    ordered = sorted(paths)
    rest = len(ordered) - _LISTED
    return [f"  {path}" for path in ordered[:_LISTED]] + ([f"  and {rest} more fields"] if rest > 0 else [])


def _reference(owner: Mapping[str, Any] | None) -> str:
    """The owner as the reference prints it."""
    if owner is None:
        return "nil"
    flags = {True: "*true", False: "*false", None: "nil"}
    return (
        f"&OwnerReference{{Kind:{owner.get('kind')},Name:{owner.get('name')},UID:{owner.get('uid')},"
        f"APIVersion:{owner.get('apiVersion')},Controller:{flags[owner.get('controller')]},"
        f"BlockOwnerDeletion:{flags[owner.get('blockOwnerDeletion')]},}}"
    )
