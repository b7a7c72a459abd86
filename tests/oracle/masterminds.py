"""Version ranges of users, read off the tables of `version-ranges.md` 3 and 4 row by row.

Part of the oracle: nothing of the product is imported here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.oracle.semver import Semver, UnreadableError, compare, identifiers

_WS = r"[\t\n\f\r ]"
# Step 5 finds out parts that are neither number nor wildcard, unless they are ignored (3.2).
_PART = r"[0-9|xX*]+"
_IDS = r"[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*"
_VERSION = rf"v?{_PART}(?:\.{_PART}(?:\.{_PART})?)?(?:-{_IDS})?(?:\+{_IDS})?"
_OPERATOR = r"(?:=>|>=|=<|<=|!=|~>|=|>|<|~|\^)?"
_COMPARATOR = rf"{_OPERATOR}{_WS}*{_VERSION}"
_GROUP = re.compile(rf"{_WS}*{_COMPARATOR}{_WS}*(?:(?:{_WS}+|,{_WS}*){_COMPARATOR}{_WS}*)*")
_HYPHEN = re.compile(rf"{_WS}*({_VERSION}){_WS}+-{_WS}+({_VERSION}){_WS}*")
_PIECES = re.compile(rf"({_OPERATOR}){_WS}*v?({_PART})(?:\.({_PART}))?(?:\.({_PART}))?(?:-({_IDS}))?(?:\+({_IDS}))?")


class Comparator(NamedTuple):
    operator: str
    shape: str  # full, patch, minor (what is open from there on), any
    base: Semver


def parse(text: str) -> list[list[Comparator]]:
    """Groups of comparators."""
    if len(text.encode()) > 512:
        raise UnreadableError("too long")
    groups = _HYPHEN.sub(r">= \1, <= \2 ", text).split("||")
    if len(groups) > 32:
        raise UnreadableError("too many groups")
    return [_group(group) for group in groups]


def contains(groups: list[list[Comparator]], version: Semver) -> bool:
    return any(_holds(group, version) for group in groups)


def only_full_version(groups: list[list[Comparator]]) -> Semver | None:
    """The version of a range that is one full version, written alone or behind `=`."""
    every = [each for group in groups for each in group]
    if len(every) == 1 and every[0].operator in ("", "=") and every[0].shape == "full":
        return every[0].base
    return None


def _group(text: str) -> list[Comparator]:
    if not _GROUP.fullmatch(text):
        raise UnreadableError(f"improper constraint: {text}")
    return [_comparator(found) for found in _PIECES.finditer(text)]


def _comparator(found: re.Match[str]) -> Comparator:
    operator, major, minor, patch, pre, build = found.groups()
    ids = identifiers(pre) if pre else ()
    open_ = (None, "x", "X", "*")
    if major in open_:
        return Comparator(operator, "any", Semver(0, 0, 0, ids, build or ""))
    if minor in open_:
        return Comparator(operator, "minor", Semver(_small(major), 0, 0, ids, build or ""))
    if patch in open_:
        return Comparator(operator, "patch", Semver(_small(major), _small(minor), 0, ids, build or ""))
    return Comparator(operator, "full", Semver(_small(major), _small(minor), _small(patch), ids, build or ""))


def _small(text: str) -> int:
    if not text.isdigit() or int(text) >= 2**64:
        raise UnreadableError(text)
    return int(text)  # leading zeros are dropped


def _holds(group: list[Comparator], version: Semver) -> bool:
    if version.pre and not any(each.base.pre for each in group):
        return False
    return all(_check(each, version) for each in group)


def _check(comparator: Comparator, v: Semver) -> bool:
    operator, shape, c = comparator
    if operator in ("", "=") and shape == "full":
        return compare(v, c) == 0
    table = {
        "": _tilde,
        "=": _tilde,
        "~": _tilde,
        "~>": _tilde,
        "^": _caret,
        "!=": _not,
        ">": _above,
        "<": lambda _shape, v, c: compare(v, c) < 0,
        ">=": lambda _shape, v, c: compare(v, c) >= 0,
        "=>": lambda _shape, v, c: compare(v, c) >= 0,
        "<=": _up_to,
        "=<": _up_to,
    }
    return table[operator](shape, v, c)


def _not(shape: str, v: Semver, c: Semver) -> bool:
    if shape == "patch":
        if v[:2] != c[:2]:
            return True
        return bool(v.pre or c.pre) and v.pre != c.pre
    if shape == "minor":
        return v.major != c.major
    return compare(v, c) != 0


def _above(shape: str, v: Semver, c: Semver) -> bool:
    if shape == "patch":
        return v[:2] > c[:2]
    if shape == "minor":
        return v.major > c.major
    return compare(v, c) > 0


def _up_to(shape: str, v: Semver, c: Semver) -> bool:
    if shape == "full":
        return compare(v, c) <= 0
    if shape == "patch":
        return v[:2] <= c[:2]
    return v.major <= c.major if shape == "minor" else v[:2] == (0, 0)


def _tilde(shape: str, v: Semver, c: Semver) -> bool:
    if compare(v, c) < 0:
        return False
    if shape == "any" or (shape == "full" and c[:3] == (0, 0, 0)):
        return True
    return v.major == c.major if shape == "minor" else v[:2] == c[:2]


def _caret(shape: str, v: Semver, c: Semver) -> bool:
    if compare(v, c) < 0:
        return False
    if shape == "any":
        return v[:3] == (0, 0, 0)
    if shape == "minor" or c.major > 0:
        return v.major == c.major
    if shape == "patch" or c.minor > 0:
        return v[:2] == c[:2]
    return v[:3] == c[:3]
