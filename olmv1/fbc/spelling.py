"""Known field names in any letter case → the exact spelling; everything else stays the bytes that it was.

Works on JSON text level by level, so values are never decoded and numbers keep their digits. Called by `wire` only.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec
import re2

__all__ = ["LEAF", "OPAQUE", "Shape", "is_misspelled", "respelled"]

# The known names of an object and the shape of each value; a list has the shape of its members.
Shape = Mapping[str, "Shape | None"]

LEAF: Final[Shape] = {}
"""Shape of a scalar, or of a list of scalars."""

OPAQUE: Final[None] = None
"""Shape of a value that is taken as it is, nulls included."""

_NAMES = (
    *("schema", "package", "name", "defaultChannel", "description", "entries", "replaces", "skips", "skipRange"),
    *("image", "properties", "relatedImages", "type", "value", "reference", "message"),
)


def is_misspelled(line: bytes) -> bool:
    """Whether the line may hold a known name in other letters; true too often is harmless, false is certain."""
    return _MISSPELLED.search(line) is not None


def respelled(line: bytes, shape: Shape) -> bytes:
    """The JSON object with its known names spelled exactly, without its nulls and without unknown names.

    Of names that are equal but for letter case the last wins. A null in a list becomes the empty value of its shape.
    Raises: msgspec.DecodeError when the text is not JSON.
    """
    if line[:1] == b"{":
        return _respelled_object(line, shape)
    if line[:1] == b"[":
        empty = b"{}" if shape else b'""'
        members = (bytes(member) for member in _MEMBERS.decode(line))
        return b"[" + b",".join(empty if m == b"null" else respelled(m, shape) for m in members) + b"]"
    return line


def _respelled_object(line: bytes, shape: Shape) -> bytes:
    known = {name.casefold(): name for name in shape}
    found: dict[str, bytes] = {}
    for key, raw in _FIELDS.decode(line).items():
        name = known.get(key.casefold())
        value = bytes(raw)
        if name is None or value == b"null":
            continue
        inner = shape[name]
        found[name] = value if inner is None else respelled(value, inner)
    return b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in found.items()) + b"}"


def _other_spellings(name: str) -> str:
    """An expression for every spelling of `name` but the exact one.

    One more letter is exact in each branch, the next one is another, the rest are any.

    `k` and `s` have a third form in Unicode case folding (the Kelvin sign, the long s).
    """
    if not name:
        return ""
    first, rest = name[0], name[1:]
    others = first.swapcase() + {"k": "\u212a", "s": "\u017f"}.get(first.lower(), "")
    branch = f"[{others}](?i:{rest})" if rest else f"[{others}]"
    deeper = _other_spellings(rest)
    return f"(?:{branch}|{first}{deeper})" if deeper else branch


_MISSPELLED = re2.compile('"(?:' + "|".join(map(_other_spellings, _NAMES)) + ')":')
_FIELDS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_MEMBERS = msgspec.json.Decoder(list[msgspec.Raw])
