"""The properties of a bundle: annotation `olm.properties` of the CSV and metadata/properties.yaml, merged.

Called by the loader. Rule: bundle-rendering.md 5; decision 14 (wrapped properties).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.yaml import load_json
from operator_controller.bundle.documents import first_document
from operator_controller.bundle.errors import BundleError
from operator_controller.bundle.json_values import compact_json, escape_html, exact, json_kind
from operator_controller.bundle.model import Property

__all__ = ["ANNOTATION", "MergedProperties", "merge_properties", "properties_in_file"]

ANNOTATION = "olm.properties"

_TOKEN = re.compile(r'("(?:[^"\\]|\\.)*")|\s+', re.DOTALL)


@dataclass(frozen=True, slots=True)
class MergedProperties:
    """All properties of a bundle; `annotation` is the merged text, `None` when the bundle has neither source."""

    annotation: str | None
    properties: tuple[Property, ...]
    warnings: tuple[str, ...]


def merge_properties(annotation: str | None, data: bytes | None, *, keep_wrapped: bool = False) -> MergedProperties:
    """The properties of the annotation followed by those of metadata/properties.yaml (`data`).

    `keep_wrapped` leaves `- property: {type, value}` as it is, which makes an empty property of it.
    Raises: BundleError when one of them cannot be read. Rule: bundle-rendering.md 5.
    """
    own = _properties_in_annotation(annotation)
    try:
        added, warnings = properties_in_file("properties.yaml", data, "properties", keep_wrapped=keep_wrapped)
    except ValueError as error:
        raise BundleError(f"failed to unmarshal metadata/properties.yaml: {error}") from error
    properties = (*(prop for prop, _ in own), *added)
    if added:
        texts = [*(text for _, text in own), *(_text_of(prop, compact_json(prop.value)) for prop in added)]
        annotation = f"[{','.join(texts)}]"
    return MergedProperties(annotation, properties, warnings)


def properties_in_file(
    name: str, data: bytes | None, member: str, *, keep_wrapped: bool = False
) -> tuple[tuple[Property, ...], tuple[str, ...]]:
    """The `{type, value}` pairs under `member` of metadata/`name`, and the warnings about their form.

    Raises: ValueError with the parser's text.
    """
    document = first_document(data) if data else None
    if document is None:
        return (), ()
    if not isinstance(document, Mapping):
        raise ValueError(
            f"json: cannot unmarshal {json_kind(document)} into Go value of type map[string]interface {{}}"
        )
    found = document.get(member)
    if not isinstance(found, list | None):
        raise ValueError(f"json: cannot unmarshal {json_kind(found)} into Go struct field .{member} of type []Property")
    properties, wrapped = [], 0
    for item in found or ():
        is_wrapped = not keep_wrapped and _is_wrapped(item)
        wrapped += is_wrapped
        properties.append(_property(item["property"] if is_wrapped else item))
    warning = f'metadata/{name}: {wrapped} of {len(properties)} entries are wrapped in "property" and were unwrapped'
    return tuple(properties), (warning,) if wrapped else ()


def _is_wrapped(item: Any) -> bool:
    return isinstance(item, Mapping) and "type" not in item and isinstance(item.get("property"), Mapping)


def _property(item: Any) -> Property:
    if item is None:
        return Property("", None)
    if not isinstance(item, Mapping):
        raise ValueError(f"json: cannot unmarshal {json_kind(item)} into Go value of type property.Property")
    kind = item.get("type")
    if not isinstance(kind, str | None):
        raise ValueError(f"json: cannot unmarshal {json_kind(kind)} into Go struct field Property.type of type string")
    return Property(kind or "", item.get("value"))


def _properties_in_annotation(annotation: str | None) -> list[tuple[Property, str]]:
    """Each property of the annotation with its compact text; the numbers and keys of a value keep their spelling."""
    if annotation is None:
        return []
    try:
        found = exact(load_json(annotation.encode()))
        if not isinstance(found, list | None):
            raise ValueError(f"json: cannot unmarshal {json_kind(found)} into Go value of type []property.Property")
        if not found:
            return []
        properties = [_property(item) for item in found]
    except ValueError as error:
        raise BundleError(f"failed to unmarshal csv.metadata.annotations['{ANNOTATION}']: {error}") from error
    values = _value_texts(_TOKEN.sub(r"\1", annotation))
    return [(prop, _text_of(prop, value)) for prop, value in zip(properties, values, strict=True)]


def _text_of(prop: Property, value_text: str) -> str:
    return f'{{"type":{compact_json(prop.type)},"value":{escape_html(value_text)}}}'


def _value_texts(compact: str) -> Sequence[str]:
    """The text of `value` of every member of a compact JSON list of objects (`null` when missing)."""
    decoder, texts, at = json.JSONDecoder(), [], 1
    while at < len(compact) - 1:
        text = "null"
        _, end = decoder.raw_decode(compact, at)
        if compact[at] == "{":
            text = _member_text(compact[at:end], "value", decoder)
        texts.append(text)
        at = end + 1
    return texts


def _member_text(compact: str, name: str, decoder: json.JSONDecoder) -> str:
    """The text of one member of a compact JSON object; the last one wins."""
    found, at = "null", 1
    while at < len(compact) - 1:
        key, colon = decoder.raw_decode(compact, at)
        _, end = decoder.raw_decode(compact, colon + 1)
        if key == name:
            found = compact[colon + 1 : end]
        at = end + 1
    return found
