"""The properties of a bundle as its revision keeps them, in the annotation `…/bundle-properties`. Rule: decision 11."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from olmv1.constraints import REQUIREMENT_TYPES, Property
from olmv1.yaml import dump_json
from operator_controller.dependencies.properties import UNUSED_TYPES, merged

__all__ = ["DROPPED", "MAX_SIZE_BYTES", "read_properties", "recorded_properties"]

MAX_SIZE_BYTES: Final = 65_536
"""All annotations of an object together have 256 KiB."""

DROPPED: Final = "extras.olm.operatorframework.io/dropped-properties"
"""Type of the property that says that some did not fit: value `{"count": 3, "types": ["x"]}`, at most 20 types."""

_LISTED_TYPES: Final = 20
_LONGEST_TYPE: Final = 100
_ROOM_FOR_MARK: Final = 4_096
_KEPT_FIRST = ("olm.package", "olm.gvk", *sorted(REQUIREMENT_TYPES), "olm.label")


class _Entry(msgspec.Struct):
    type: str
    value: object = None


_ENTRIES = msgspec.json.Decoder(list[_Entry])


def recorded_properties(blob_properties: Iterable[Property], image_properties: Iterable[Property]) -> str:
    """The JSON list of `{type, value}` to record: the catalog's properties, then those of the image, equal ones once.

    At most 64 KiB. What does not fit is left out, the largest of the least useful first: what nobody but a rule could
    ask for goes before what the bundle requires, and that before what it provides. A last entry then tells.
    """
    everything = [each for each in merged(blob_properties, image_properties) if each.type not in UNUSED_TYPES]
    texts = [_text(each) for each in everything]
    sizes = [len(text) + 1 for text in texts]
    room = MAX_SIZE_BYTES - 2
    if sum(sizes) > room:
        room -= _ROOM_FOR_MARK
    kept, left = set[int](), room
    for index in sorted(range(len(texts)), key=lambda each: (_rank(everything[each].type), sizes[each], each)):
        if sizes[index] <= left:
            kept.add(index)
            left -= sizes[index]
    dropped = [everything[index].type for index in range(len(texts)) if index not in kept]
    listed = [texts[index] for index in sorted(kept)]
    if dropped:
        listed.append(_text(_mark(dropped)))
    return "[" + b",".join(listed).decode() + "]"


def read_properties(annotation: str | None) -> tuple[Property, ...] | None:
    """The properties that a revision recorded; `None` when it recorded none or the text cannot be read."""
    if annotation is None:
        return None
    try:
        return tuple(Property(each.type, each.value) for each in _ENTRIES.decode(annotation))
    except (msgspec.DecodeError, RecursionError):
        return None


def _rank(type_: str) -> int:
    return _KEPT_FIRST.index(type_) if type_ in _KEPT_FIRST else len(_KEPT_FIRST)


def _text(property_: Property) -> bytes:
    return dump_json({"type": property_.type, "value": property_.value}, sorted=True)


def _mark(dropped: list[str]) -> Property:
    types = sorted({each[:_LONGEST_TYPE] for each in dropped})[:_LISTED_TYPES]
    return Property(DROPPED, {"count": len(dropped), "types": types})
