"""The objects of one manifest file: documents, lists and what every object must have.

Called by the loader. Rule: bundle-rendering.md 3.2, 3.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest
from olmv1.yaml import YamlError, documents
from operator_controller.bundle.errors import BundleError
from operator_controller.bundle.json_values import compact_json, exact, json_kind
from operator_controller.bundle.object_meta import check_object_meta

__all__ = ["Document", "documents_of", "first_document"]


@dataclass(frozen=True, slots=True)
class Document:
    """One object of a manifest file; `number` counts the documents of the file from 1, empty ones not counted."""

    path: str
    number: int
    manifest: Manifest


def first_document(data: bytes) -> Any:
    """The first document of a metadata file, with exact numbers; `None` when the file is empty.

    Raises: ValueError with the parser's text.
    """
    return next((exact(document.value) for document in documents(data)), None)


def documents_of(path: str, data: bytes) -> Iterator[Document]:
    """Every object of a manifest file in order; empty documents are skipped and lists replaced by their members.

    Raises: BundleError with the text of the specification.
    """
    try:
        for document in documents(data, name=path):
            for manifest in _objects_in(exact(document.value)):
                check_object_meta(manifest.get("metadata"))
                yield Document(path, document.number, manifest)
    except YamlError as error:
        raise BundleError(f'error parsing objects in "{path}": {error}') from error
    except ValueError as error:
        raise BundleError(f'error parsing objects in "{path}": unable to decode "{path}": {error}') from error


def _objects_in(document: Any) -> Iterator[Manifest]:
    """`document` itself, or the members of the list it is, at any depth."""
    if not isinstance(document, dict):
        raise ValueError(f"json: cannot unmarshal {json_kind(document)} into Go value of type unstructured.detector")
    kind = _kind_of(document)
    if "items" not in document:
        yield document
        return
    members = document["items"]
    if not isinstance(members, list | None):
        raise ValueError(
            f"json: cannot unmarshal {json_kind(members)} into Go struct field .items of type []json.RawMessage"
        )
    for member in members or ():
        yield from _objects_in(_with_inherited_type(member, document.get("apiVersion"), kind))


def _kind_of(document: Mapping[str, Any]) -> str:
    for name in ("apiVersion", "kind"):
        value = document.get(name)
        if not isinstance(value, str | None):
            raise ValueError(f"json: cannot unmarshal {json_kind(value)} into Go struct field .{name} of type string")
    kind = document.get("kind")
    if not kind:
        raise ValueError(f"Object 'Kind' is missing in '{compact_json(document)}'")
    return str(kind)


def _with_inherited_type(member: Any, api_version: str | None, list_kind: str) -> Any:
    """A member of `ConfigMapList` may leave out its type; a member of a plain `List` may not."""
    item_kind = list_kind.removesuffix("List")
    if not isinstance(member, dict) or member.get("kind") or not item_kind or item_kind == list_kind:
        return member
    return {**member, "apiVersion": member.get("apiVersion") or api_version, "kind": item_kind}
