"""Where two manifests differ, as paths that a person can follow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest

__all__ = ["FieldChange", "changed_fields"]

_LONGEST = 120
"""Characters of a value that are shown."""
_DEEPEST = 60
_PLAIN = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]*")
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One field: its path such as `.spec.template.spec.containers[name=manager].image`, and its values as JSON.

    A value is empty where the field is absent; `None` where it is secret.
    """

    path: str
    old: str | None
    new: str | None


def changed_fields(old: Manifest, new: Manifest) -> Iterator[FieldChange]:
    """Every place where they differ, in the order of keys; the values in a Secret are not told."""
    is_secret = "Secret" in (old.get("kind"), new.get("kind"))
    for path, before, after in _differences("", old, new, 0):
        is_hidden = is_secret and path.startswith((".data", ".stringData"))
        yield FieldChange(path, *((None, None) if is_hidden else (_shown(before), _shown(after))))


def _differences(path: str, old: Any, new: Any, depth: int) -> Iterator[tuple[str, Any, Any]]:
    if depth < _DEEPEST and isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}, key=str):
            yield from _differences(f"{path}{_step(str(key))}", _at(old, key), _at(new, key), depth + 1)
    elif depth < _DEEPEST and isinstance(old, list | tuple) and isinstance(new, list | tuple):
        yield from _in_lists(path, old, new, depth)
    elif old != new or isinstance(old, bool) is not isinstance(new, bool):
        yield path, old, new


def _in_lists(path: str, old: Sequence[Any], new: Sequence[Any], depth: int) -> Iterator[tuple[str, Any, Any]]:
    """By name where every member has one, else by place in lists of one length."""
    one, other = _named(old), _named(new)
    if one is not None and other is not None:
        for name in dict.fromkeys((*one, *other)):
            yield from _differences(f"{path}[name={name}]", _at(one, name), _at(other, name), depth + 1)
    elif len(old) == len(new):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(f"{path}[{index}]", before, after, depth + 1)
    else:
        yield path, old, new


def _at(values: Mapping[Any, Any], key: object) -> Any:
    return values.get(key, _ABSENT)


def _step(key: str) -> str:
    return f".{key}" if _PLAIN.fullmatch(key) else f"[{json.dumps(key, ensure_ascii=False)}]"


def _named(items: Sequence[Any]) -> dict[str, Any] | None:
    """The members of a list by their names; `None` when names do not tell them apart."""
    found = {item["name"]: item for item in items if isinstance(item, Mapping) and isinstance(item.get("name"), str)}
    return found if len(found) == len(items) else None


def _shown(value: object) -> str:
    if value is _ABSENT:
        return ""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
