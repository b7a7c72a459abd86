"""Typed reading of the JSON values of requirement properties, with the path of what is wrong.

Used by the parsers of this room only. Known keys match ignoring letter case, as in every catalog (fbc.md 7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from olmv1.versions import SkipRange, quoted

__all__ = ["InvalidConstraint", "is_deeper_than", "members", "range_of", "size_bytes", "text"]

_KINDS: Mapping[type, str] = {
    str: "text",
    bool: "a boolean",
    int: "a number",
    float: "a number",
    list: "a list",
    dict: "an object",
    type(None): "nothing",
}


class InvalidConstraint(ValueError):  # noqa: N818 - the word of the condition's reason
    """A requirement that cannot be read; `path` leads from the value to the place (`.all.constraints[1]`)."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def members(value: object, path: str, known: Sequence[str], *, is_strict: bool = True) -> dict[str, object]:
    """The members of an object by their known spelling; null counts as absent.

    Raises: InvalidConstraint when it is no object, has a known key twice, or (with `is_strict`) an unknown one.
    """
    if not isinstance(value, Mapping):
        raise InvalidConstraint(path, f"expected an object, found {kind_of(value)}")
    spelled = {key.casefold(): key for key in known}
    found: dict[str, object] = {}
    for key, member in value.items():
        name = spelled.get(str(key).casefold())
        if name is None and not is_strict:
            continue
        if name is None:
            raise InvalidConstraint(path, f"unknown key {quoted(str(key))}: expected one of {', '.join(known)}")
        if name in found:
            raise InvalidConstraint(path, f"key {quoted(name)} is there twice")
        found[name] = member
    return {key: member for key, member in found.items() if member is not None}


def text(found: Mapping[str, object], key: str, path: str, *, may_be_empty: bool = False) -> str:
    """The text under `key`; absent counts as empty.

    Raises: InvalidConstraint when it is no text, or empty and must not be.
    """
    value = found.get(key, "")
    if not isinstance(value, str):
        raise InvalidConstraint(f"{path}.{key}", f"expected text, found {kind_of(value)}")
    if not value and not may_be_empty:
        raise InvalidConstraint(f"{path}.{key}", "expected text, found nothing")
    return value


def range_of(found: Mapping[str, object], key: str, path: str) -> SkipRange:
    """The version range under `key`.

    Raises: InvalidConstraint with the text of the range parser.
    """
    written = text(found, key, path)
    try:
        return SkipRange.parse(written)
    except ValueError as error:
        raise InvalidConstraint(f"{path}.{key}", f"invalid version range {quoted(written)}: {error}") from error


def kind_of(value: object) -> str:
    """The kind of a JSON value in a word."""
    return _KINDS.get(type(value), "a value")


def is_deeper_than(value: object, levels: int) -> bool:
    """Whether lists and objects are nested deeper than `levels`."""
    layer: list[object] = [value]
    for _ in range(levels + 1):
        layer = [inner for item in layer for inner in _inside(item)]
        if not layer:
            return False
    return True


def size_bytes(value: object, limit: int) -> int:
    """The size of a JSON value as compact text; counting stops soon after `limit`.

    An estimate for numbers; exact for everything else that is not escaped.
    """
    total, waiting = 0, [value]
    while waiting and total <= limit:
        item = waiting.pop()
        if isinstance(item, str):
            total += len(item.encode("utf-8", "replace")) + 2
        elif isinstance(item, Mapping):
            total += 2 + sum(len(str(key).encode("utf-8", "replace")) + 3 for key in item) + max(len(item) - 1, 0)
            waiting += item.values()
        elif isinstance(item, list | tuple):
            total += 2 + max(len(item) - 1, 0)
            waiting += item
        else:
            total += 4 if item is None or item is True else len(str(item))
    return total


def _inside(item: object) -> Iterator[object]:
    if isinstance(item, Mapping):
        yield from item.values()
    elif isinstance(item, list | tuple):
        yield from item
