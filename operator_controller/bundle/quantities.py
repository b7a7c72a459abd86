"""Spelling of Kubernetes quantities: `1024Mi` is written back as `1Gi`.

Called by the typed conversion. Rule: bundle-rendering.md 4.4.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["canonical_quantity"]

_FORM = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>[0-9]*)(?:\.(?P<decimals>[0-9]*))?(?P<suffix>[eEinumkKMGTP]*[+-]?[0-9]*)", re.ASCII
)
_EXPONENT = re.compile(r"[eE](?P<exponent>[+-]?[0-9]+)", re.ASCII)
_FORMAT_ERROR = r"quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
_SUFFIX_ERROR = "unable to parse quantity's suffix"

_DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
_DECIMAL_SUFFIX = {exponent: suffix for suffix, exponent in _DECIMAL.items()}
_BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
_BINARY_SUFFIX = ("", *_BINARY)

_NANO = -9
_MAX_DIGITS = 18
_MAX_TEXT = 1000  # far more than any real number has; keeps exact arithmetic cheap
_MAX_INT64 = 2**63 - 1


@dataclass(frozen=True, slots=True)
class _Number:
    """`sign` `digits` * 10 ** `exponent`, still as text where the text matters."""

    negative: bool
    digits: str  # without the point and without leading zeros of the integer part
    exponent: int
    exponent_letter: str = ""


def canonical_quantity(text: str) -> str:
    """The spelling that the API types write for a quantity.

    Raises: ValueError with the text of the specification when `text` is not a quantity.
    Rule: bundle-rendering.md 4.4.
    """
    text = text.strip()
    match = _FORM.fullmatch(text)
    if match is None or len(text) > _MAX_TEXT or not (match["whole"] or match["decimals"]):
        raise ValueError(_FORMAT_ERROR)
    whole = match["whole"].lstrip("0")
    decimals = match["decimals"] or ""
    negative, suffix = match["sign"] == "-", match["suffix"]
    if not (whole + decimals).strip("0"):
        _require_suffix(suffix)
        return "0"
    if suffix in _BINARY:
        return _binary(text, negative=negative, whole=whole, decimals=decimals, power=_BINARY[suffix])
    exponent_letter, exponent = _require_suffix(suffix)
    number = _Number(negative, whole + decimals, exponent - len(decimals), exponent_letter)
    return text if _is_canonical_enough(number) else _decimal(number)


def _require_suffix(suffix: str) -> tuple[str, int]:
    """The letter of the exponent form (or empty) and the exponent of ten that `suffix` stands for."""
    if suffix in _BINARY:
        return "", 0
    if suffix in _DECIMAL:
        return "", _DECIMAL[suffix]
    match = _EXPONENT.fullmatch(suffix)
    if match is None or len(match["exponent"]) > _MAX_DIGITS:
        raise ValueError(_SUFFIX_ERROR)
    return suffix[0], int(match["exponent"])


def _is_canonical_enough(number: _Number) -> bool:
    return (
        len(number.digits) <= _MAX_DIGITS
        and number.exponent % 3 == 0
        and number.exponent >= _NANO
        and not number.digits.endswith("000")
        and not number.digits.startswith("0")
    )


def _binary(text: str, *, negative: bool, whole: str, decimals: str, power: int) -> str:
    if not decimals and int(whole) % 8:
        return text
    scaled = int(whole + decimals) * 1024**power  # the value times 10 ** len(decimals)
    value = min(scaled, _MAX_INT64 * 10 ** len(decimals))
    whole_part, rest = divmod(value, 10 ** len(decimals))
    if rest or whole_part < 1024:
        return _decimal(_Number(negative, str(value), -len(decimals)))
    steps = 0
    while whole_part % 1024 == 0 and steps < len(_BINARY_SUFFIX) - 1:
        whole_part //= 1024
        steps += 1
    return f"{'-' if negative else ''}{whole_part}{_BINARY_SUFFIX[steps]}"


def _decimal(number: _Number) -> str:
    digits, exponent = number.digits.lstrip("0"), number.exponent
    if exponent < _NANO:
        digits, exponent = _rounded_to_nano(digits, exponent)
    stripped = digits.rstrip("0")
    exponent += len(digits) - len(stripped)
    stripped += "0" * (exponent % 3)
    exponent -= exponent % 3
    sign = "-" if number.negative else ""
    if exponent in _DECIMAL_SUFFIX and not number.exponent_letter:
        return f"{sign}{stripped}{_DECIMAL_SUFFIX[exponent]}"
    return f"{sign}{stripped}e{exponent}" if exponent else f"{sign}{stripped}"


def _rounded_to_nano(digits: str, exponent: int) -> tuple[str, int]:
    """`digits` cut at the ninth decimal, away from zero."""
    cut = _NANO - exponent
    kept, lost = (digits[:-cut] or "0", digits[-cut:]) if cut <= len(digits) else ("0", digits)
    return str(int(kept) + (1 if lost.strip("0") else 0)), _NANO
