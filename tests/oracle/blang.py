"""skipRanges, read off `version-ranges.md` 7.2 and 7.3 step by step, oddities included.

Part of the oracle: nothing of the product is imported here.
"""

from __future__ import annotations

import re

from tests.oracle.semver import Semver, UnreadableError, compare, semver

_Comparator = tuple[str, Semver]


def parse(text: str) -> list[list[_Comparator]]:
    """Groups of comparators."""
    tokens = _tokens(text)
    groups: list[list[str]] = [[]]
    for token in tokens:
        if token == "||":
            groups.append([])
        else:
            groups[-1].append(token)
    is_lone = not tokens
    if is_lone or not all(groups):
        raise UnreadableError("an alternative is missing")
    return [[each for token in group for each in _comparators(token)] for group in groups]


def contains(groups: list[list[_Comparator]], version: Semver) -> bool:
    return any(all(_check(operator, version, bound) for operator, bound in group) for group in groups)


def _tokens(text: str) -> list[str]:
    """Step 1: cut at a blank unless the last non-blank character was one of `<>=`; drop tokens of one character."""
    found, current, last = [], "", ""
    for char in text:
        if char == " " and last not in ("<", ">", "="):
            found.append(current)
            current = ""
        else:
            current += char
        if char != " ":
            last = char
    found.append(current)
    return [token.replace(" ", "") for token in found if len(token) > 1]


def _comparators(token: str) -> list[_Comparator]:
    """Steps 3 to 5."""
    digit = re.search("[0-9]", token)
    if not digit:
        raise UnreadableError(token)
    operator, version = token[: digit.start()], token[digit.start() :]
    if "x" in token:
        return _with_wildcard(operator, version)
    if operator not in ("", "=", "==", "!", "!=", ">", ">=", "<", "<="):
        raise UnreadableError(token)
    return [(operator, semver(version))]


def _with_wildcard(operator: str, version: str) -> list[_Comparator]:
    """Step 4."""
    parts = version.split(".")
    flat = version.replace(".x.x", ".x", 1).replace(".x", ".0", 1)
    low_text = flat + ".0" if len(flat.split(".")) == 2 else flat
    if operator not in ("", "=", "==", "!", "!=", ">", ">=", "<", "<="):
        return [("=", semver(low_text))]
    low = semver(low_text)
    if operator in (">=", "<"):
        return [(operator, low)]
    if parts[-1] != "x" or len(parts) not in (2, 3):
        raise UnreadableError(version)
    after = Semver(low.major + 1, 0, 0) if len(parts) == 2 else Semver(low.major, low.minor + 1, 0)
    if operator == ">":
        return [(">=", after)]
    if operator == "<=":
        return [("<", after)]
    if operator in ("!", "!="):
        return [("<", low), (">=", after)]
    return [(">=", low), ("<", after)]


def _check(operator: str, version: Semver, bound: Semver) -> bool:
    order = compare(version, bound)
    return {
        "": order == 0,
        "=": order == 0,
        "==": order == 0,
        "!": order != 0,
        "!=": order != 0,
        ">": order > 0,
        ">=": order >= 0,
        "<": order < 0,
        "<=": order <= 0,
    }[operator]
