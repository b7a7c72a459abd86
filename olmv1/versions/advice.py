"""What a person should be told about a range that parses but hardly means what it says.

Called where ranges are shown (the trace of a resolution, `olm`). Never changes what a range contains.
Rule: version-ranges.md 4.2 and 11.
"""

from __future__ import annotations

from olmv1.versions.comparator import Comparator, Shape
from olmv1.versions.precedence import NOT_A_PRERELEASE, Key, spelled
from olmv1.versions.quoting import quoted
from olmv1.versions.range import Range

__all__ = ["advice_on", "opened"]

_SURPRISES = {
    ("^", Shape.ANY): "`^` with a wildcard means exactly 0.0.0",
    ("<=", Shape.ANY): "`<=` with a wildcard means 0.0.z",
    (">", Shape.ANY): "`>` with a wildcard means every version but 0.0.0",
    ("!=", Shape.ANY): "`!=` with a wildcard means every version but 0.0.0",
}


def advice_on(asked: Range) -> tuple[str, ...]:
    """One sentence per thing that is surprising about the range, in the order of its text; usually none."""
    text = quoted(asked.text)
    found = [f"version range {text} matches no version"] if asked.is_contradiction else []
    found += [f"in version range {text} {surprise}" for each in asked.comparators if (surprise := _surprise(each))]
    return tuple(dict.fromkeys(found))


def opened(asked: Range) -> str:
    """A range that admits the pre-releases of the same versions as well: `>=1.16.0-0 <1.18.0-0` for `>=1.16, <1.18`.

    Empty for a range that has no version without a pre-release in it.
    """
    parts = []
    for (low, is_above), closes in asked.admitted.pairs():
        bounds = [f">{spelled(low)}" if is_above else f">={_with_prereleases(low)}"]
        if closes is not None:
            high, is_included = closes
            bounds.append(f"<={spelled(high)}" if is_included else f"<{_with_prereleases(high)}")
        parts.append(" ".join(bounds))
    return " || ".join(parts)


def _surprise(comparator: Comparator) -> str | None:
    if comparator.operator == "~" and comparator.shape is Shape.FULL and comparator.base[:3] == (0, 0, 0):
        return "`~0.0.0` means every version"
    return _SURPRISES.get((comparator.operator, comparator.shape))


def _with_prereleases(key: Key) -> str:
    return f"{spelled(key)}-0" if key[3] == NOT_A_PRERELEASE else spelled(key)
