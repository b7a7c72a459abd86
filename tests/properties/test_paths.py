"""Every field of an object has a path that a probe can name it by."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from operator_controller.revisions.paths import at

NAMES = st.text(min_size=1, max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


def quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def places(value: Any, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], Any]]:
    """The path of every field and item below `value`, with what stands there."""
    if isinstance(value, dict):
        inner = [(*path, quoted(name)) for name in value]
    else:
        inner = [(*path, str(index)) for index in range(len(value))] if isinstance(value, list) else []
    members = list(value.values()) if isinstance(value, dict) else value
    found = zip(inner, members, strict=True) if inner else ()
    return [each for way, member in found for each in ((way, member), *places(member, way))]


@given(st.dictionaries(NAMES, VALUES, min_size=1, max_size=3))
def test_at_finds_everything_by_its_quoted_path(live: dict[str, Any]) -> None:
    for way, value in places(live):
        assert at(live, ".".join(way)) == value
