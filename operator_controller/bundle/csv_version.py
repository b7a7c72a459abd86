"""Which texts are accepted as version and release of a ClusterServiceVersion.

Nothing is computed from them: the version of a bundle comes from the catalog. Rule: bundle-rendering.md 4.2, 4.3.
"""

from __future__ import annotations

import re

__all__ = ["check_release", "check_version"]

_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]+", re.ASCII)


def check_version(text: str) -> None:
    """Accept a tolerant semantic version: blanks around, leading `v`, missing parts and leading zeros are fine.

    Raises: ValueError that names the part with the unexpected characters.
    """
    parts = [_with_digit(part) for part in text.strip().removeprefix("v").split(".", 2)]
    if len(parts) < 3 and any(sign in parts[-1] for sign in "+-"):
        raise ValueError("Short version cannot contain PreRelease/Build meta data")
    names = ("major", "minor", "patch")
    rest, plus, build = parts[-1].partition("+") if len(parts) == 3 else (parts[-1], "", "")
    number, dash, prerelease = rest.partition("-") if len(parts) == 3 else (rest, "", "")
    for name, part in zip(names, [*parts[:-1], number], strict=False):
        if not _DIGITS.fullmatch(part):
            raise ValueError(f'Invalid character(s) found in {name} number "{part}"')
    if dash:
        _check_prerelease(prerelease)
    if plus:
        _check_build(build)


def check_release(text: str) -> None:
    """Accept an empty text or dot-separated pre-release identifiers.

    Raises: ValueError that names the identifier.
    """
    if text:
        _check_prerelease(text)


def _with_digit(part: str) -> str:
    """`part` without leading zeros; a zero is put before anything that is not a digit, as the tolerant parser does."""
    part = part.lstrip("0")
    return part if _DIGITS.match(part) else f"0{part}"


def _check_prerelease(text: str) -> None:
    for identifier in text.split("."):
        if not identifier:
            raise ValueError("Prerelease is empty")
        if not _IDENTIFIER.fullmatch(identifier):
            raise ValueError(f'Invalid character(s) found in prerelease "{identifier}"')
        if _DIGITS.fullmatch(identifier) and identifier != "0" and identifier.startswith("0"):
            raise ValueError(f'Numeric PreRelease version must not contain leading zeroes "{identifier}"')


def _check_build(text: str) -> None:
    for identifier in text.split("."):
        if not identifier:
            raise ValueError("Build meta data is empty")
        if not _IDENTIFIER.fullmatch(identifier):
            raise ValueError(f'Invalid character(s) found in build meta data "{identifier}"')
