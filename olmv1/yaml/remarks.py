"""What a reader of the text would not expect of the value: words and numbers that YAML changes, keys that are lost.

For validation only: nothing here is asked where speed counts. Most documents are answered by one scan of their bytes;
the others are gone through event by event, without recursion. Rule: fbc.md 16.8 to 16.10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice

import re2
from yaml._yaml import CParser
from yaml.error import YAMLError
from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from olmv1.yaml.dump import dump_json
from olmv1.yaml.scalars import NotJsonError, Scalar, plain
from olmv1.yaml.stream import Document, Reading

__all__ = ["Remark", "RemarkKind", "remarks_of"]


class RemarkKind(StrEnum):
    """What happened to the text."""

    BOOLEAN = "boolean"
    """A word such as `y` or `off` became true or false."""
    NUMBER = "number"
    """A number is not what was written: `4.20` is 4.2, `010` is 8."""
    DUPLICATE_KEY = "duplicate-key"
    """A key is there twice: the last one counts."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One such place: `text` as it is written (an excerpt), `value` as JSON, `path` from the top of the document.

    `line` counts from 1 in the whole file. `is_key`: it is about the name of a member, not about a value.
    """

    kind: RemarkKind
    line: int
    path: str
    text: str
    value: str
    is_key: bool = False


def remarks_of(document: Document) -> tuple[Remark, ...]:
    """What is to be said of one document that `documents(…, is_wary=True)` gave, at most a hundred remarks."""
    if not _is_worth_a_look(document):
        return ()
    return tuple(islice(_Walk(document.source_line).over(document.source), _MOST))


_MOST = 100
_EXCERPT = 40  # characters
_SAFE_INTEGER = 2**53  # Beyond it the reference loses digits.
# A zero at the end of a fraction, which is lost.
_TRAILING_ZERO = re2.compile(rb"(?m)(?:[:\-,\[{?][ \t]*|^[ \t]*)-?[0-9]+\.[0-9]*0[ \t\r]*(?:$|[ \t]#|[,\]}:])")
_ODD_JSON_NUMBER = re2.compile(rb"[:\[,][ \t\r\n]*-?(?:[0-9]+\.[0-9]*0|[0-9.]+[eE][-+]?[0-9]+|[0-9]{16,})[ \t\r\n,\]}]")


def _is_worth_a_look(document: Document) -> bool:
    source = document.source
    match document.reading:
        case Reading.EXACT:
            return True
        case Reading.FAST:  # Its guard sees everything but this.
            return _TRAILING_ZERO.search(source) is not None
        case Reading.JSON:
            return _has_lost_keys(document) or _ODD_JSON_NUMBER.search(source) is not None


def _has_lost_keys(document: Document) -> bool:
    """Whether the value holds fewer quotes than the text: each key that was there twice took two or more with it."""
    source = document.source
    return rb"\u0022" in source or source.count(b'"') != dump_json(document.value).count(b'"')


@dataclass(slots=True)
class _Level:
    """One open list or mapping."""

    path: str
    is_mapping: bool
    keys: set[str] = field(default_factory=set)
    key: str | None = None
    count: int = 0

    @property
    def inner(self) -> str:
        """The path of the value that comes next."""
        if not self.is_mapping:
            return f"{self.path}[{self.count}]"
        return f"{self.path}.{self.key}" if self.path else str(self.key)


class _Walk:
    """Goes through the events of one document."""

    def __init__(self, first_line: int) -> None:
        self._first_line = first_line
        self._levels: list[_Level] = []

    def over(self, source: bytes) -> Iterator[Remark]:
        """The remarks in the order of the text; they end where it is no YAML (JSON may be none)."""
        parser = CParser(source)
        try:
            while (event := parser.get_event()) is not None:
                yield from self._event(event)
        except YAMLError:
            return

    def _event(self, event: Event) -> Iterator[Remark]:
        if isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._levels.pop()
            self._close_value()
        elif isinstance(event, (MappingStartEvent, SequenceStartEvent)):
            path = self._levels[-1].inner if self._levels else ""
            self._levels.append(_Level(path, isinstance(event, MappingStartEvent)))
        elif isinstance(event, ScalarEvent):
            yield from self._scalar(event)
        elif isinstance(event, AliasEvent):
            self._close_value()

    def _scalar(self, event: ScalarEvent) -> Iterator[Remark]:
        level = self._levels[-1] if self._levels else _Level("", is_mapping=False)
        is_key = level.is_mapping and level.key is None
        is_plain = event.tag is None and event.implicit[0]
        value = _value(event.value) if is_plain else event.value
        line = self._first_line + (event.start_mark.line if event.start_mark else 0)
        path = level.path if is_key else level.inner if self._levels else ""
        if is_plain and (kind := _kind(event.value, value, is_key=is_key)) is not None:
            yield Remark(kind, line, path, _cut(event.value), _shown(value), is_key)
        if not is_key:
            self._close_value()
            return
        key = value if isinstance(value, str) else _shown(value)
        if key in level.keys and key != "<<":
            yield Remark(RemarkKind.DUPLICATE_KEY, line, path, _cut(event.value), "", is_key=True)
        level.keys.add(key)
        level.key = key

    def _close_value(self) -> None:
        """The list or mapping around goes on behind a value, or behind a key that is none of ours (`? [a]`)."""
        if not self._levels:
            return
        level = self._levels[-1]
        if level.is_mapping and level.key is None:
            level.key = ""
        elif level.is_mapping:
            level.key = None
        else:
            level.count += 1


def _value(text: str) -> Scalar:
    try:
        return plain(text)
    except NotJsonError:
        return text


def _kind(text: str, value: Scalar, *, is_key: bool) -> RemarkKind | None:
    """What became of a plain scalar that is not what it looks like; `None` when all is well."""
    if isinstance(value, bool):
        return None if text.lower() in ("true", "false") and not is_key else RemarkKind.BOOLEAN
    if not isinstance(value, (int, float)):
        return None
    is_same = _shown(value) == text and abs(value) <= _SAFE_INTEGER
    return None if is_same else RemarkKind.NUMBER


def _shown(value: Scalar) -> str:
    return value if isinstance(value, str) else dump_json(value).decode()


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[: _EXCERPT - 1]}…"
