"""From the text of a catalog to its report: files as people write them, lines as catalogd serves them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from olmv1.constraints import LIBRARY
from olmv1.fbc.validation.finding import Code, Place
from olmv1.fbc.validation.schemas import MAX_OPENSHIFT
from olmv1.fbc.validation.validator import Report, Validator
from olmv1.yaml import Document, Remark, RemarkKind, YamlError, documents, dump_json, load_json, remarks_of

__all__ = ["FileLines", "SourceFile", "examine_files", "examine_lines"]


class SourceFile(NamedTuple):
    """One file of a catalog; `content` is `None` with the reason in `problem` when it could not be read."""

    path: str
    content: bytes | None
    problem: str = ""


class FileLines(NamedTuple):
    """How many blobs of a catalog, in its order, came from one file."""

    path: str
    blobs: int


def examine_files(
    files: Iterable[SourceFile],
    passed_over: Iterable[str] = (),
    *,
    is_strict: bool = False,
    keeps_images: bool = False,
) -> Report:
    """Everything that is wrong with a catalog, its files given in walk order.

    `passed_over`: names of files that are no catalog files; the reference would read them. One file at a time is in
    memory.
    """
    validator = Validator(is_strict=is_strict, keeps_images=keeps_images, rules=LIBRARY)
    for path in passed_over:
        message = "this file is passed over here, the reference reads it: name it in .indexignore"
        validator.note_file(path, Code.PASSED_OVER, message)
    for file in files:
        if file.content is None:
            validator.unreadable(Place(file.path), file.problem)
        else:
            _examine(file.content, file.path, validator)
    return validator.report()


def examine_lines(lines: Iterable[bytes], files: Sequence[FileLines] = (), *, keeps: int | None = None) -> Report:
    """What is wrong with a catalog of which only the normal form is there, one blob a line.

    `files` tells where the lines come from; without it findings name no place. What the normal form does not show (how
    words and numbers were written, keys that were there twice) is not found, and rules in CEL are not compiled. One
    line at a time is in memory, and `keeps` findings of each severity (`None`: all).
    """
    validator = Validator(keeps=keeps)
    for line, place in zip(lines, _places(files), strict=False):
        try:
            validator.add(load_json(line), place)
        except YamlError as error:
            validator.unreadable(place, error.detail)
    return validator.report()


def _examine(content: bytes, path: str, validator: Validator) -> None:
    number = 0
    try:
        for document in documents(content, is_wary=True):
            number = document.number
            _examine_document(document, path, validator)
    except YamlError as error:
        # Behind a fault nothing can be read: where the next document begins is not known.
        validator.unreadable(Place(path, max(error.document, number), error.line or 0), error.detail)


def _examine_document(document: Document, path: str, validator: Validator) -> None:
    place = Place(path, document.number, document.line)
    try:
        dump_json(document.value)  # As catalogd would write it: nesting has a limit.
    except YamlError as error:
        validator.unreadable(place, error.detail)
        return
    spot = validator.add(document.value, place)
    for remark in remarks_of(document):
        if not _is_told(remark, document.value):
            validator.note(spot, remark.line, *_said(remark))


def _is_told(remark: Remark, value: object) -> bool:
    """Whether the remark is about a number that is a finding wherever it comes from."""
    found = _PROPERTY_VALUE.fullmatch(remark.path)
    if remark.kind is not RemarkKind.NUMBER or found is None or not isinstance(value, dict):
        return False
    # The remark is about the text: a key that is there twice may have left other properties in the value.
    properties, number = value.get("properties"), int(found[1])
    property_ = properties[number] if isinstance(properties, list) and number < len(properties) else None
    return isinstance(property_, dict) and property_.get("type") == MAX_OPENSHIFT


_PROPERTY_VALUE = re.compile(r"properties\[([0-9]+)\]\.value")


def _said(remark: Remark) -> tuple[Code, str]:
    """A remark as a finding: what is written, what is read, what to write instead."""
    where = f" at {remark.path}" if remark.path else ""
    written = f"the key {remark.text}" if remark.is_key else remark.text
    advice = f'write "{remark.text}" if it is text'
    match remark.kind:
        case RemarkKind.DUPLICATE_KEY:
            return Code.DUPLICATE_KEY, f'key "{remark.text}" is there twice{where}: only the last one counts'
        case RemarkKind.BOOLEAN:
            return Code.UNQUOTED_BOOLEAN, f"{written} without quotes{where} is read as {remark.value}: {advice}"
        case RemarkKind.NUMBER if remark.text == remark.value:
            return Code.UNQUOTED_NUMBER, f"{written} without quotes{where} loses digits in other readers: {advice}"
        case RemarkKind.NUMBER:
            return Code.UNQUOTED_NUMBER, f"{written} without quotes{where} is read as {remark.value}: {advice}"


def _places(files: Sequence[FileLines]) -> Iterator[Place]:
    for file in files:
        for number in range(1, file.blobs + 1):
            yield Place(file.path, number)
    while True:
        yield Place()
