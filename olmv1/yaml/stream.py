"""A file → its documents: the kind is found by looking, JSON first, one document at a time.

Rule: fbc.md 5 and bundle-rendering.md 3.2. Empty documents (blanks, comments, null) are passed over. Sizes are the
caller's to bound.
"""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, NamedTuple

from olmv1.yaml.depth import TOO_DEEP, is_too_deep
from olmv1.yaml.errors import YamlError
from olmv1.yaml.exact import load_exact
from olmv1.yaml.fast import Undecided, load_fast
from olmv1.yaml.json_text import parse_json, scan_json, text_of

__all__ = ["Document", "Reading", "documents", "load_all"]


class Reading(Enum):
    """How a document was read."""

    JSON = auto()
    FAST = auto()
    """As YAML that both parsers read alike."""
    EXACT = auto()
    """As YAML that only the exact loader can be believed about."""


@dataclass(frozen=True, slots=True)
class Document:
    """One document: its value, its number in the stream (from 1, empty ones not counted) and the line it begins on.

    `source` is the text that it was read from, which begins on line `source_line`; equal documents may differ in it.
    """

    value: Any
    number: int
    line: int
    source: bytes = field(default=b"", repr=False, compare=False)
    source_line: int = field(default=1, repr=False, compare=False)
    reading: Reading = field(default=Reading.EXACT, repr=False, compare=False)


def load_all(data: bytes, *, name: str = "") -> list[Any]:
    """The values of all documents that are not empty, in order; keys are text, integers exact.

    `name` is the file, for messages: `error parsing manifests/a.yaml: error converting YAML to JSON: yaml: line 5: …`.
    Raises: YamlError, which names the line.
    """
    found = []
    for document in documents(data, name=name):
        if is_too_deep(document.value):
            raise YamlError.in_yaml(TOO_DEEP, document.line).named(name, document.number)
        found.append(document.value)
    return found


def documents(data: bytes, *, name: str = "", is_wary: bool = False) -> Iterator[Document]:
    """The documents of a stream as they are read; those before a fault are delivered.

    Nesting is bounded so that nothing overflows, but not to `MAX_DEPTH`: `load_all` and `dump_json` see to that.
    `is_wary`: YAML with a key that is there twice is read by the exact loader, so that `remarks_of` notices it.
    Raises: YamlError while iterating.
    """
    number = 0
    try:
        for found in _values(data, is_wary=is_wary):
            number += 1
            yield Document(found.value, number, found.line, found.source, found.source_line, found.reading)
    except YamlError as error:
        raise error.named(name, number + 1) from error


_BOM = b"\xef\xbb\xbf"
# Both match the empty text too, so they always match.
_TEXT_BLANKS = re.compile("[ \t\r\n]*")
_BLANKS = re.compile(rb"[ \t\r\n]*")
_NOT_EMPTY = re.compile(rb"^[ \t]*[^ \t\r\n#]", re.MULTILINE)
_EXCERPT = 40  # characters


class _Found(NamedTuple):
    """One value, the line that it begins on, and its text."""

    value: Any
    line: int
    source: bytes
    source_line: int
    reading: Reading


def _values(data: bytes, *, is_wary: bool) -> Iterator[_Found]:
    """Every value of the stream."""
    data = data.removeprefix(_BOM)
    start = 0
    if _begins_object(data):
        start = yield from _json_values(data)
    if start < len(data):
        yield from _yaml_values(data, start, is_wary=is_wary)


def _begins_object(data: bytes) -> bool:
    return data.startswith(b"{", _behind_blanks(data, 0))


def _behind_blanks(data: bytes, start: int) -> int:
    return _BLANKS.match(data, start).end()  # type: ignore[union-attr]


def _json_values(data: bytes) -> Generator[_Found, None, int]:
    """The JSON objects that the stream begins with; returns where it goes on as YAML (0 when it is not JSON at all)."""
    position = _behind_blanks(data, 0)
    line = 1 + data.count(b"\n", 0, position)
    is_first = True
    while position < len(data):
        # Inside a JSON text no line can end with `}` before one that begins with `{`: there would be a comma.
        end = data.find(b"}\n{", position) + 1 or len(data)
        source = data[position:end]
        try:
            value = parse_json(source)
        except ValueError:
            stopped = yield from _scanned_values(data, (position, end), line)
            if stopped is not None:
                return 0 if is_first and stopped.count == 0 else _where_yaml_begins(data, stopped)
        else:
            yield _Found(value, line, source, line, Reading.JSON)
        is_first = False
        behind = _behind_blanks(data, end)
        line += data.count(b"\n", position, behind)
        position = behind
    return len(data)


@dataclass(frozen=True, slots=True)
class _Stopped:
    """Where JSON ended: the byte, how many values came before it in its part of the stream, and why."""

    offset: int
    line: int
    count: int
    problem: str


def _scanned_values(data: bytes, part: tuple[int, int], line: int) -> Generator[_Found, None, _Stopped | None]:
    """The JSON objects of one part that is not a single JSON text: several in a row, or a fault behind some."""
    text = text_of(data[part[0] : part[1]])
    index, count = 0, 0
    while index < len(text):
        try:
            value, end = scan_json(text, index)
        except ValueError as error:
            fault = error.pos if isinstance(error, json.JSONDecodeError) else index
            offset = part[0] + len(text[:fault].encode())
            return _Stopped(offset, line + text.count("\n", index, fault), count, _problem(error, text, index))
        yield _Found(value, line, text[index:end].encode(), line, Reading.JSON)
        count += 1
        start, index = index, _TEXT_BLANKS.match(text, end).end()  # type: ignore[union-attr]
        line += text.count("\n", start, index)
    return None


def _where_yaml_begins(data: bytes, stopped: _Stopped) -> int:
    """The offset of the separator at which JSON stopped. Raises: YamlError when it stopped at anything else."""
    if data.startswith(b"\n---", stopped.offset - 1):
        return stopped.offset
    raise YamlError(f"json: offset {stopped.offset + 1}: {stopped.problem}", line=stopped.line)


def _problem(error: ValueError, text: str, start: int) -> str:
    """What is wrong with the JSON value that begins at `start`."""
    if not isinstance(error, json.JSONDecodeError):
        return str(error)
    if error.pos == start:
        return f"invalid character '{text[start]}' looking for beginning of value"
    return error.msg[:1].lower() + error.msg[1:]


def _yaml_values(data: bytes, start: int, *, is_wary: bool) -> Iterator[_Found]:
    position, line = start, 1 + data.count(b"\n", 0, start)
    while position < len(data):
        end = _next_separator(data, position)
        first = _NOT_EMPTY.search(data, position, end)
        if first is not None:
            source = data[position:end]
            value, reading = _yaml_value(source, line, is_wary=is_wary)
            if value is not None:
                yield _Found(value, line + data.count(b"\n", position, first.start()), source, line, reading)
        line += data.count(b"\n", position, end)
        position = _behind_separator(data, end, line)
        line += 1


def _yaml_value(document: bytes, line: int, *, is_wary: bool) -> tuple[Any, Reading]:
    if _begins_object(document):
        try:
            return parse_json(document), Reading.JSON
        except ValueError:
            pass  # A mapping in the flow style of YAML.
    try:
        return load_fast(document, has_unique_keys=is_wary), Reading.FAST
    except Undecided:
        return load_exact(document, line), Reading.EXACT


def _next_separator(data: bytes, position: int) -> int:
    """The offset of the next line that begins with `---`, else the end."""
    if data.startswith(b"---", position):
        return position
    return data.find(b"\n---", position) + 1 or len(data)


def _behind_separator(data: bytes, position: int, line: int) -> int:
    """The offset of the line behind a separator. Raises: YamlError when it carries more than a comment."""
    if position == len(data):
        return position
    end = data.find(b"\n", position)
    end = len(data) if end < 0 else end
    rest = text_of(data[position + 3 : end]).strip()
    if rest and not rest.startswith("#"):
        raise YamlError(f"invalid Yaml document separator: {rest[:_EXCERPT]}", line=line)
    return end + 1
