"""The stored form of an index: one JSON object that names its format, checked in full when it is read."""

from __future__ import annotations

from array import array
from collections.abc import Mapping

import orjson

from catalogd.index.columns import Columns

__all__ = ["FORMAT", "IndexFormatError", "decoded", "encoded"]

FORMAT = "olmv1-index/1"
"""Changes whenever the stored form does; content with another format is written anew from the image."""

_MAX_BYTES = 2**48
_COLUMNS = ("lengths", "schemas", "packages", "names")


class IndexFormatError(ValueError):
    """Bytes that are no index of this format; what they belong to has to be stored again."""


def encoded(columns: Columns) -> bytes:
    """The stored form."""
    numbers = {title: getattr(columns, title).tolist() for title in _COLUMNS}
    return orjson.dumps({"format": FORMAT, "texts": columns.texts, **numbers})


def decoded(data: bytes) -> Columns:
    """The table in its stored form.

    Raises: IndexFormatError when it is cut, of another format, or contradicts itself.
    """
    try:
        stored = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise IndexFormatError(f"not an index: {error}") from error
    if not isinstance(stored, dict) or stored.get("format") != FORMAT:
        found = stored.get("format") if isinstance(stored, dict) else None
        raise IndexFormatError(f'index has the format "{str(found)[:40]}", expected "{FORMAT}"')
    columns = Columns(_texts(stored), *(_numbers(stored, title) for title in _COLUMNS))
    _require_consistent(columns)
    return columns


def _texts(stored: Mapping[str, object]) -> tuple[str, ...]:
    texts = stored.get("texts")
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise IndexFormatError("index has no list of texts")
    return tuple(texts)


def _numbers(stored: Mapping[str, object], title: str) -> array[int]:
    numbers = stored.get(title)
    if not isinstance(numbers, list):
        raise IndexFormatError(f"index has no list of {title}")
    try:
        return array("Q", numbers)
    except (TypeError, OverflowError) as error:
        raise IndexFormatError(f"index has something that is no number in {title}") from error


def _require_consistent(columns: Columns) -> None:
    if 0 in columns.lengths or sum(columns.lengths) > _MAX_BYTES:
        raise IndexFormatError("index holds a length that no line can have")
    for title in _COLUMNS[1:]:
        column: array[int] = getattr(columns, title)
        if len(column) != len(columns.lengths):
            raise IndexFormatError(f"index has {len(columns.lengths)} lines but {len(column)} {title}")
        if column and max(column) >= len(columns.texts):
            raise IndexFormatError(f"index refers to a text that it does not have, in {title}")
