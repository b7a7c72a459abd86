"""The scalar table: text of a plain YAML scalar → its value.

YAML 1.1 as the reference reads it: booleans in words, octal with a leading zero, no base 60, no dates. Pure text work;
who finds the scalars is `exact`.
"""

from __future__ import annotations

import base64
import binascii
import math
import re

from olmv1.yaml.numbers import MAX_DIGITS, number_of

__all__ = ["NotJsonError", "Scalar", "plain", "tagged"]

Scalar = str | int | float | bool | None


class NotJsonError(ValueError):
    """The scalar is infinite or not a number, which JSON cannot say."""


def plain(text: str) -> Scalar:
    """The value of a scalar written without quotes and without a tag.

    Raises: NotJsonError for `.inf` and `.nan` in their spellings.
    """
    if text[:1] not in _STARTS:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if text in _NOT_JSON:
        raise NotJsonError(f"unsupported value: {text}")
    return _number(text) if text[0] in _NUMBER_STARTS else text


def tagged(tag: str, text: str) -> Scalar:
    """The value of a scalar that carries a tag: `!!str 1` is text, `!!int "1"` a number, `!custom x` the text `x`.

    Raises: ValueError when the text is not of the type that the tag names.
    """
    kind = tag.removeprefix(_TAG_PREFIX)
    if tag == kind or kind not in _TAGGED:
        return _binary(text) if tag == _TAG_PREFIX + "binary" else text
    value = plain(text)
    if type(value) not in _TAGGED[kind]:
        raise ValueError(f"cannot decode {text[:40]!r} as a !!{kind}")
    return value


def _binary(text: str) -> str:
    try:
        decoded = base64.b64decode("".join(text.split()), validate=True)
    except binascii.Error as error:
        raise ValueError("!!binary value contains invalid base64 data") from error
    return re.sub("[\ud800-\udfff]", "\ufffd", decoded.decode(errors="surrogateescape"))


def _spellings(*words: str) -> list[str]:
    return [form for word in words for form in (word, word.capitalize(), word.upper())]


_WORDS: dict[str, Scalar] = {
    **dict.fromkeys(_spellings("y", "yes", "on", "true"), True),
    **dict.fromkeys(_spellings("n", "no", "off", "false"), False),
    **dict.fromkeys(("", "~", *_spellings("null")), None),
}
_NOT_JSON = frozenset(
    [".nan", ".NaN", ".NAN", *(sign + word for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF"))]
)
_TAG_PREFIX = "tag:yaml.org,2002:"
_TAGGED: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "bool": (bool,),
    "null": (type(None),),
}
_NUMBER_STARTS = frozenset("+-.0123456789")
_STARTS = _NUMBER_STARTS | {word[:1] for word in _WORDS}

_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_RADIX = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[oO]?([0-7]+)|0[bB]([01]+))")
_LIMITS = {"": 2**64 - 1, "+": 2**63 - 1, "-": 2**63}
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")


def _number(text: str) -> Scalar:
    # Underscores are dropped anywhere in a number, but not in one that begins with its decimal point.
    digits = text if text[0] == "." else text.replace("_", "")
    if _DECIMAL.fullmatch(digits) and len(digits) <= MAX_DIGITS:
        return int(digits)
    match = _RADIX.fullmatch(digits)
    if match and (value := _radix(match)) is not None:
        return value
    return _float(digits, text)


def _radix(match: re.Match[str]) -> int | None:
    """The value in base 16, 8 or 2; `None` beyond 64 bits, where the text is something else."""
    sign, *forms = match.groups()
    number, base = next((form, base) for form, base in zip(forms, (16, 8, 2), strict=True) if form)
    value = int(number, base)  # Linear: the base is a power of two.
    return (-value if sign == "-" else value) if value <= _LIMITS[sign] else None


def _float(digits: str, text: str) -> Scalar:
    if not _FLOAT.fullmatch(digits):
        return text
    value = float(digits)
    return text if math.isinf(value) else number_of(value)
