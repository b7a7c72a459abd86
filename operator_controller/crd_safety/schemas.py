"""A structural schema as a flat table: path → schema, and the same paths for values.

Used by the comparison and by what looks at stored objects, so that both call a place the same. Rule: applying.md 5.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from operator_controller.crd_safety.bounded import TooLargeError

__all__ = ["ROOT", "Node", "Schema", "child_of", "flattened", "is_below", "keeps_unknown", "place_of", "text_of"]

Schema = Mapping[str, Any]
ROOT = "^"
_JUNCTORS = ("allOf", "anyOf", "oneOf")
_MAX_PATH_CHARS = 30_000_000
"""Of all paths of one schema together: long names above many leaves would fill the memory."""


@dataclass(frozen=True, slots=True)
class Node:
    """One schema of the table.

    `junctor` is the outermost of `allOf`, `anyOf`, `oneOf` and `not` that it is inside of, else empty; `place` is the
    path of the values that it speaks about, which is its own unless it is inside a junctor.
    """

    schema: Schema
    place: str
    junctor: str = ""


def flattened(schema: Schema) -> Mapping[str, Node]:
    """Every schema inside `schema` by its path: `^`, `^.spec.size`, `^.spec.list.items`, `^.spec.allOf[0]`.

    Raises: TooLargeError.
    """
    found: dict[str, Node] = {}
    chars = 0
    waiting = [(ROOT, Node(schema, ROOT))]
    while waiting:
        path, node = waiting.pop()
        chars += len(path)
        if chars > _MAX_PATH_CHARS:
            raise TooLargeError("has paths that are too long")
        found[path] = node
        waiting.extend(_children(path, node))
    return found


def _children(path: str, node: Node) -> Iterator[tuple[str, Node]]:
    schema = node.schema
    for name, item in _mapping(schema.get("properties")).items():
        if isinstance(item, Mapping):
            yield f"{path}.{name}", _inside(node, f"{path}.{name}", item)
    for keyword in ("items", "additionalProperties"):
        item = schema.get(keyword)
        if isinstance(item, Mapping):
            yield f"{path}.{keyword}", _inside(node, f"{path}.{keyword}", item)
    for keyword, name, item in _joined(schema):
        yield f"{path}.{name}", Node(item, node.place, node.junctor or keyword)


def _inside(node: Node, own: str, item: Schema) -> Node:
    if node.junctor:
        return Node(item, node.place, node.junctor)
    return Node(item, own)


def _joined(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    for keyword in _JUNCTORS:
        items = schema.get(keyword)
        for number, item in enumerate(items if isinstance(items, list) else ()):
            if isinstance(item, Mapping):
                yield keyword, f"{keyword}[{number}]", item
    if isinstance(schema.get("not"), Mapping):
        yield "not", "not", schema["not"]


def keeps_unknown(schema: Schema) -> bool:
    """Whether fields without a schema of their own are kept."""
    return schema.get("x-kubernetes-preserve-unknown-fields") is True


def child_of(schema: Schema | None, key: str | int) -> tuple[str, Schema | None]:
    """The path segment and the schema of one member of a value; the schema is `None` where there is none."""
    known = schema or {}
    if isinstance(key, int):
        items = known.get("items")
        return "items", items if isinstance(items, Mapping) else None
    found = _mapping(known.get("properties")).get(key)
    if isinstance(found, Mapping):
        return key, found
    others = known.get("additionalProperties")
    if isinstance(others, Mapping):
        return "additionalProperties", others
    return key, None


def place_of(schema: Schema, instance: Iterable[str | int]) -> str:
    """The path of the schema that a place inside a value belongs to: `(spec, list, 0)` → `^.spec.list.items`."""
    path, current = ROOT, schema
    for key in instance:
        segment, found = child_of(current, key)
        path, current = f"{path}.{segment}", found or {}
    return path


def is_below(path: str, ancestor: str) -> bool:
    """Whether `path` is `ancestor` or inside of it."""
    return path == ancestor or path.startswith((f"{ancestor}.", f"{ancestor}["))


def text_of(value: object) -> str:
    """The text, or empty for everything else."""
    return value if isinstance(value, str) else ""


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
