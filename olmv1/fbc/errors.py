"""The one error of file-based catalogs, and how it names a place."""

from __future__ import annotations

from olmv1.errors import TerminalError

__all__ = ["FbcError", "place_of", "shown"]

_MAX_NAME = 200  # characters


class FbcError(TerminalError):
    """A catalog or one of its blobs cannot be read.

    The message begins with the place, when there is one: `catalogs/foo.yaml, document 3: …` (documents count from 1,
    empty ones are not counted). It never holds more of the catalog than a short excerpt.
    """


def place_of(path: str, document: int = 0) -> str:
    """`catalogs/foo.yaml, document 3`; without a document number only the file."""
    return f"{shown(path)}, document {document}" if document else shown(path)


def shown(name: str) -> str:
    """A file name that any message can carry: one line, valid UTF-8, at most 200 characters."""
    text = name.encode(errors="backslashreplace").decode()
    text = "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)
    return text if len(text) <= _MAX_NAME else f"{text[: _MAX_NAME - 1]}…"
