"""JSON text → value, without losing digits: a fast reader, and an exact one for what the fast one would change."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import orjson
import re2

from olmv1.yaml.depth import TOO_DEEP, is_too_deep
from olmv1.yaml.errors import YamlError
from olmv1.yaml.numbers import MAX_DIGITS, number_of

__all__ = ["load_json", "parse_json", "scan_json", "text_of"]


def load_json(data: bytes) -> Any:
    """The value of one JSON text: integers exact, `1.0` and `1e3` as integers, each byte that is not UTF-8 as U+FFFD.

    Raises: YamlError, also for numbers beyond a 64-bit float and for nesting beyond `MAX_DEPTH`.
    """
    try:
        value = parse_json(data)
    except ValueError as error:
        raise _translated(error, data) from error
    if is_too_deep(value):
        raise YamlError(f"json: {TOO_DEEP}")
    return value


def parse_json(data: bytes) -> Any:
    """As `load_json`, but nesting is bounded by the parsers only (1024 levels).

    Raises: ValueError of any kind.
    """
    if not _UNFAITHFUL.search(data):
        try:
            return orjson.loads(data)
        except orjson.JSONDecodeError:
            pass  # The exact reader knows more (half surrogates, bytes that are not UTF-8), or tells what is wrong.
    text = text_of(data)
    value, end = scan_json(text, len(text) - len(text.lstrip(_BLANKS)))
    if text[end:].strip(_BLANKS):
        raise json.JSONDecodeError("Extra data", text, end)
    return value


def scan_json(text: str, start: int) -> tuple[Any, int]:
    """The value that begins at `start`, read exactly, and the index behind it.

    Raises: ValueError of any kind.
    """
    try:
        value, end = _EXACT.raw_decode(text, start)
    except RecursionError as error:
        raise ValueError(TOO_DEEP) from error
    return (_without_half_surrogates(value) if _SURROGATE.search(text, start, end) else value), end


def text_of(data: bytes) -> str:
    """UTF-8 as text; each byte that is not UTF-8 becomes U+FFFD."""
    return _HALF.sub("\ufffd", data.decode(errors="surrogateescape"))


_BLANKS = " \t\r\n"

# Numbers that the fast reader rounds (more than 64 bits) or keeps as a float where an integer is meant (1.0, 1e3, -0),
# where a number can stand: behind a key, in a list, alone. In JSON inside a text the quote of a key is escaped.
_UNFAITHFUL = re2.compile(
    r"""(?:(?:[^\\]|\\\\)"[ \t\r\n]*:|[\[,]|^)[ \t\r\n]*"""
    r"(?:-?(?:[0-9]{19,}|[0-9]+\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+)|-0)"
    r"[ \t\r\n]*(?:[,\]}]|$)"
)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_HALF = re.compile("[\ud800-\udfff]")


def _float(text: str) -> int | float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"number {text[:40]} is out of range")
    return number_of(value)


def _integer(text: str) -> int | float:
    if text == "-0":
        return -0.0
    return int(text) if len(text) <= MAX_DIGITS else _float(text)


def _refuse(text: str) -> Any:
    raise ValueError(f"invalid number {text}")


_EXACT = json.JSONDecoder(parse_float=_float, parse_int=_integer, parse_constant=_refuse)


def _without_half_surrogates(value: Any) -> Any:
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_half_surrogates(member) for member in value]
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _without_half_surrogates(member) for key, member in value.items()}
    return value


def _translated(error: ValueError, data: bytes) -> YamlError:
    if isinstance(error, json.JSONDecodeError):
        return YamlError(f"json: offset {error.pos + 1}: {error.msg[:1].lower()}{error.msg[1:]}", line=error.lineno)
    return YamlError(f"json: {error}", line=1 if b"\n" not in data else None)
