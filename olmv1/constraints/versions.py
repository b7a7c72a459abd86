"""Versions as authors write them, read with patience: `v1.2`, `01.2.0`, ` 1.2.0 `. Rule: dependencies.md 4."""

from __future__ import annotations

from olmv1.versions import Version

__all__ = ["compared", "tolerant_version"]


def tolerant_version(written: object) -> Version:
    """The version that a text or number means: blanks, a leading `v` and leading zeros go, missing parts are 0.

    Raises: ValueError `unable to parse 'abc' to semver format`. Short versions with a pre-release are refused.
    """
    shown = _shown(written)
    parts = [_without_zeros(part) for part in shown.strip().removeprefix("v").split(".", 2)]
    is_short = len(parts) < 3
    try:
        if is_short and any(mark in parts[-1] for mark in "+-"):
            raise ValueError("a short version has no pre-release and no build metadata")
        return Version.parse(".".join(parts + ["0"] * (3 - len(parts))))
    except ValueError as error:
        raise ValueError(f"unable to parse '{shown[:100]}' to semver format") from error


def compared(left: object, right: object) -> int:
    """-1, 0 or 1 by precedence; build metadata does not count.

    Raises: ValueError as `tolerant_version`.
    """
    one, other = tolerant_version(left), tolerant_version(right)
    return (one > other) - (one < other)


def _shown(written: object) -> str:
    if isinstance(written, float) and written.is_integer() and abs(written) < 1e15:
        return str(int(written))
    if isinstance(written, bool):
        return str(written).lower()
    return str(written) if isinstance(written, str | int | float) else type(written).__name__


def _without_zeros(part: str) -> str:
    if len(part) < 2:
        return part
    stripped = part.lstrip("0")
    return stripped if stripped[:1].isdigit() else f"0{stripped}"
