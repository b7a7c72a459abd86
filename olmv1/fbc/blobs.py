"""One catalog file → its blobs in normal form. Called by catalogd for every file, and by `load`.

Only the shape that every blob shares is checked; what a schema means is the business of `package`.
"""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.fbc.errors import FbcError, place_of
from olmv1.fbc.meta import meta_of, type_word
from olmv1.fbc.model import Blob
from olmv1.yaml import Document, YamlError, documents, dump_json

__all__ = ["blobs_of_file"]


def blobs_of_file(data: bytes, path: str) -> Iterator[Blob]:
    """The blobs of one file, in order, as they are read; empty documents give none.

    `path` is for messages: `catalogs/foo.yaml, document 3: …`. Blobs before a fault are delivered. Sizes are the
    caller's to bound.
    Raises: FbcError while iterating, naming file and document.
    """
    try:
        for document in documents(data):
            yield _blob(document, path)
    except YamlError as error:
        raise FbcError(f"{place_of(path, error.document)}: {error.detail}") from error


def _blob(document: Document, path: str) -> Blob:
    try:
        value = document.value
        if not isinstance(value, dict):
            raise FbcError(f"expected an object, found {type_word(value)}")
        meta = meta_of(value)
        json = dump_json(value)
    except (FbcError, YamlError) as error:
        raise FbcError(f"{place_of(path, document.number)}: {error}") from error
    return Blob(*meta, json, path=path, document=document.number, line=document.line)
