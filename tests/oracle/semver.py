"""Versions and releases as `fbc.md` 11 and `version-ranges.md` 1 tell them: read slowly, compared step by step.

Part of the oracle: nothing of the product is imported here.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_VERSION = re.compile(r"([0-9]+)\.([0-9]+)\.([0-9]+)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")


class UnreadableError(Exception):
    """The text is not what it should be."""


class Semver(NamedTuple):
    """The three numbers, the pre-release identifiers, and the build metadata, which never counts."""

    major: int
    minor: int
    patch: int
    pre: tuple[str, ...] = ()
    build: str = ""


class Numbered(NamedTuple):
    """A version and its release; `None`: no release."""

    version: Semver
    release: tuple[str, ...] | None = None


def number(text: str) -> int:
    """A number without leading zeros below 2^64."""
    if not text.isascii() or not text.isdigit() or (len(text) > 1 and text[0] == "0") or int(text) >= 2**64:
        raise UnreadableError(text)
    return int(text)


def identifiers(text: str) -> tuple[str, ...]:
    """Dot-separated identifiers; numeric ones without leading zeros."""
    parts = tuple(text.split("."))
    for part in parts:
        if not re.fullmatch(r"[0-9A-Za-z-]+", part):
            raise UnreadableError(text)
        if re.fullmatch(r"[0-9]+", part):
            number(part)
    return parts


def semver(text: str) -> Semver:
    found = _VERSION.fullmatch(text)
    if not found:
        raise UnreadableError(text)
    major, minor, patch, pre, build = found.groups()
    if build is not None and not all(build.split(".")):
        raise UnreadableError(text)
    return Semver(number(major), number(minor), number(patch), identifiers(pre) if pre else (), build or "")


def release_of(text: str) -> tuple[str, ...] | None:
    """A release: at most 20 characters, the rules of a pre-release; empty means none."""
    if text == "":
        return None
    if len(text) > 20:
        raise UnreadableError(text)
    return identifiers(text)


def numbered(version: str, release: str | None) -> Numbered:
    """Explicit release: build metadata stays. None given: build metadata is the release if it can be one."""
    read = semver(version)
    if release is not None:
        return Numbered(read, release_of(release))
    try:
        found = release_of(read.build)
    except UnreadableError:
        return Numbered(read, None)
    return Numbered(read._replace(build=""), found)


def compare_identifiers(left: tuple[str, ...], right: tuple[str, ...]) -> int:
    """Numbers below words, numbers by value, words by ASCII, the longer list wins when one is a prefix."""
    for one, two in zip(left, right, strict=False):
        if one == two:
            continue
        if one.isdigit() and two.isdigit():
            return -1 if int(one) < int(two) else 1
        if one.isdigit() != two.isdigit():
            return -1 if one.isdigit() else 1
        return -1 if one < two else 1
    return (len(left) > len(right)) - (len(left) < len(right))


def compare(left: Semver, right: Semver) -> int:
    """Precedence: -1, 0 or 1."""
    if left[:3] != right[:3]:
        return -1 if left[:3] < right[:3] else 1
    if not left.pre or not right.pre:
        return bool(right.pre) - bool(left.pre)
    return compare_identifiers(left.pre, right.pre)


def compare_numbered(left: Numbered, right: Numbered) -> int:
    """Version, then release; no release is lower than any."""
    by_version = compare(left.version, right.version)
    if by_version:
        return by_version
    if left.release is None or right.release is None:
        return (left.release is not None) - (right.release is not None)
    return compare_identifiers(left.release, right.release)
