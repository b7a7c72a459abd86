"""The query string of a `metas` request → what it asks for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from olmv1.errors import TerminalError

__all__ = ["MetasQuery", "QueryError", "parse"]


class QueryError(TerminalError):
    """A query string that cannot be answered: status 400, body `400 Bad Request`; the message is for the details."""


@dataclass(frozen=True, slots=True)
class MetasQuery:
    """Blobs with exactly these fields; an empty field asks for nothing, three empty ones for the whole catalog."""

    schema: str = ""
    package: str = ""
    name: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether every blob is asked for."""
        return not (self.schema or self.package or self.name)


def parse(query_string: str) -> MetasQuery:
    """What the query string asks for; of a repeated parameter the first value counts, an empty one is as if absent.

    `query_string` is the part behind `?` exactly as it was sent, percent-encoded: a library that has decoded or
    repaired it would hide what is malformed.
    Raises: QueryError for an unknown parameter and for a malformed string.
    """
    values: dict[str, str] = {}
    for pair in query_string.split("&"):
        if not pair:
            continue
        key, _, value = pair.partition("=")
        name = _decoded(key)
        if name not in _PARAMETERS:
            raise QueryError(f'unknown query parameter "{_excerpt(name)}": expected schema, package or name')
        values.setdefault(name, _decoded(value))
    return MetasQuery(**values)


_PARAMETERS = frozenset(("schema", "package", "name"))
_MALFORMED = re.compile(";|%(?![0-9A-Fa-f]{2})")


def _decoded(text: str) -> str:
    if match := _MALFORMED.search(text):
        raise QueryError(f'malformed query string at "{_excerpt(text[match.start() :])}"')
    # Bytes that are no text select nothing, as no blob has them.
    return unquote_to_bytes(text.replace("+", " ")).decode(errors="surrogateescape")


def _excerpt(text: str) -> str:
    return text.encode(errors="backslashreplace").decode()[:40]
