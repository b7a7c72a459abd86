"""The property `olm.maxOpenShiftVersion` of a bundle, read from what was recorded when it was installed.

Values that only OLM Classic accepts (`v4.18`, `4.18.0`) are accepted with a warning: published bundles were tested
against it. Rule: upgradeable.md 2, 3.2, 3.3 and 6.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from operator_controller.upgradeability.minor import Minor

__all__ = ["PROPERTY", "Maximum", "read_maximum"]

PROPERTY = "olm.maxOpenShiftVersion"

_TEXT = re.compile(r"\s*(?P<v>v?)(?P<major>[0-9]{1,9})\.(?P<minor>[0-9]{1,9})(?P<zero>\.0+)?\s*", re.ASCII)
_NUMBER = re.compile(r"(?P<major>[1-9][0-9]{0,8})\.(?P<minor>0|[1-9][0-9]{0,8})", re.ASCII)
_WORDS = {b"t": "bool", b"f": "bool", b"n": "nil", b"[": "[]interface {}", b"{": "map[string]interface {}"}


@dataclass(frozen=True, slots=True)
class Maximum:
    """The highest minor version that a bundle declares, `None` when it declares none that can be read.

    `problems` say what is wrong with the declaration, `warnings` what is only unusual.
    """

    minor: Minor | None = None
    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class _Property(msgspec.Struct, frozen=True):
    type: str = ""
    value: msgspec.Raw = msgspec.Raw(b"null")


_PROPERTIES = msgspec.json.Decoder(list[_Property] | None)
_STRING = msgspec.json.Decoder(str)


def read_maximum(annotation: str | None) -> Maximum:
    """The maximum in an annotation `olm.properties`: a JSON list of `{type, value}`, in which it may be absent."""
    if not annotation:
        return Maximum()
    try:
        listed = _PROPERTIES.decode(annotation.encode()) or []
    except (msgspec.DecodeError, RecursionError) as error:
        text = f"could not convert olm.properties: failed to unmarshal properties annotation: {error}"
        return Maximum(problems=(text,))
    values = dict.fromkeys(bytes(found.value) for found in listed if found.type == PROPERTY)
    return _gathered([_read(value) for value in values])


def _gathered(found: list[Maximum]) -> Maximum:
    minors = sorted({each.minor for each in found if each.minor is not None})
    problems = [text for each in found for text in each.problems]
    if len(minors) > 1:
        listed = ", ".join(str(each) for each in minors)
        problems.append(f"more than one {PROPERTY} found in bundle: {listed}")
    return Maximum(
        minor=minors[0] if minors else None,
        problems=tuple(problems),
        warnings=tuple(text for each in found for text in each.warnings),
    )


def _read(raw: bytes) -> Maximum:
    if raw[:1] == b'"':
        return _of_text(_STRING.decode(raw))
    if raw[:1] in _WORDS:
        text = f"invalid type {_WORDS[raw[:1]]} for olm.maxOpenshiftVersion: {_shown(raw.decode())}"
        return Maximum(problems=(text,))
    number = raw.decode()
    match = _NUMBER.fullmatch(number)
    if match is None:
        return _unreadable(number, f'invalid semver format "{number}": expected <major>.<minor>')
    return Maximum(_minor(match))


def _of_text(text: str) -> Maximum:
    match = _TEXT.fullmatch(text)
    if match is None:
        return _unreadable(text, "invalid version format")
    return Maximum(_minor(match), warnings=tuple(_oddities(text, match)))


def _oddities(text: str, match: re.Match[str]) -> Iterator[str]:
    if match["v"] or match["zero"]:
        yield f'{PROPERTY} is written "{text}": expected <major>.<minor>, read as {_minor(match)}'


def _unreadable(raw: str, reason: str) -> Maximum:
    return Maximum(problems=(f"error converting to semver for version {_shown(raw)}: {reason}",))


def _minor(match: re.Match[str]) -> Minor:
    return Minor(int(match["major"]), int(match["minor"]))


def _shown(text: str) -> str:
    """`text` as part of a message: one line, not endless."""
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"
