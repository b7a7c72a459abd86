"""The three fields that every blob may have, whatever its schema.

Rule: fbc.md 6. Their names are found ignoring letter case (Unicode case folding); the blob keeps its own spelling.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from olmv1.fbc.errors import FbcError

__all__ = ["Meta", "meta_of", "type_word"]


class Meta(NamedTuple):
    """What a blob says it is; a field that is absent is empty."""

    schema: str = ""
    package: str = ""
    name: str = ""


def meta_of(blob: Mapping[str, Any]) -> Meta:
    """`schema`, `package` and `name` of a decoded blob.

    Raises: FbcError when one of them is not a string, or is there in two spellings.
    """
    found: dict[str, str] = {}
    for key in blob:
        field = key if key in _FIELDS else _folded(key)
        if field is None:
            continue
        if field in found:
            spellings = sorted(other for other in blob if _folded(other) == field)
            raise FbcError(f'duplicate keys for key "{field}": [{" ".join(spellings)}]')
        found[field] = _text(field, blob[key])
    return Meta(**found)


_FIELDS = Meta._fields
# No letter folds to less than one, so a longer key is none of these.
_LONGEST = max(map(len, _FIELDS))


def _folded(key: str) -> str | None:
    if len(key) > _LONGEST:
        return None
    field = key.casefold()
    return field if field in _FIELDS else None


def _text(field: str, value: object) -> str:
    if isinstance(value, str):
        return value
    raise FbcError(f'expected value for key "{field}" to be a string, got {_described(value)}')


def _described(value: object) -> str:
    # The value helps where YAML made a boolean or a number of an unquoted word.
    if isinstance(value, bool):
        return f"boolean {str(value).lower()}"
    return f"number {value!r}"[:40] if isinstance(value, (int, float)) else type_word(value)


def type_word(value: object) -> str:
    """The JSON name of a value's type, with its article dropped: `list`, `string`, `object`, `null`."""
    return _TYPE_WORDS.get(type(value), "object")


_TYPE_WORDS = {str: "string", bool: "boolean", int: "number", float: "number", list: "list", type(None): "null"}
