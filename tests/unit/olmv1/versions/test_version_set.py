from __future__ import annotations

import pytest

from olmv1.versions import Version
from olmv1.versions.precedence import Key
from olmv1.versions.version_set import (
    EVERYTHING,
    NOTHING,
    VersionSet,
    above,
    at_least,
    below,
    between,
    exactly,
    up_to,
)


def key(text: str) -> Key:
    return Version.parse(text).key


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(at_least(key("1.0.0")), [False, True, True], id="at least"),
        pytest.param(above(key("1.0.0")), [False, False, True], id="above"),
        pytest.param(below(key("1.0.0")), [True, False, False], id="below"),
        pytest.param(up_to(key("1.0.0")), [True, True, False], id="up to"),
        pytest.param(exactly(key("1.0.0")), [False, True, False], id="exactly"),
        pytest.param(between(key("0.9.0"), key("1.0.0")), [True, False, False], id="between"),
        pytest.param(between(key("1.0.0"), key("0.9.0")), [False, False, False], id="nothing between"),
        pytest.param(EVERYTHING, [True, True, True], id="everything"),
        pytest.param(NOTHING, [False, False, False], id="nothing"),
    ],
)
def test_set_contains(found: VersionSet, expected: list[bool]) -> None:
    assert [found.contains(key(text)) for text in ("0.9.0", "1.0.0", "1.1.0")] == expected


def test_complement_of_everything_is_nothing() -> None:
    assert EVERYTHING.complement() == NOTHING
    assert NOTHING.complement() == EVERYTHING
    assert below(key("0.0.0-0")) == NOTHING


@pytest.mark.parametrize(
    ("sets", "shown"),
    [
        pytest.param([], (), id="of nothing"),
        pytest.param([("1.0.0", "2.0.0"), ("3.0.0", "4.0.0")], ("[1.0.0, 2.0.0)", "[3.0.0, 4.0.0)"), id="apart"),
        pytest.param([("3.0.0", "4.0.0"), ("1.0.0", "3.0.0")], ("[1.0.0, 4.0.0)",), id="touching"),
        pytest.param([("1.0.0", "9.0.0"), ("3.0.0", "4.0.0")], ("[1.0.0, 9.0.0)",), id="inside"),
        pytest.param([("1.0.0", "3.0.0"), ("2.0.0", None)], ("[1.0.0, ∞)",), id="without an end"),
        pytest.param([("1.0.0", None), ("2.0.0", "3.0.0")], ("[1.0.0, ∞)",), id="swallowed"),
        pytest.param(
            [("1.0.0", "2.0.0"), ("3.0.0", None)], ("[1.0.0, 2.0.0)", "[3.0.0, ∞)"), id="apart without an end"
        ),
    ],
)
def test_union_merges_intervals(sets: list[tuple[str, str | None]], shown: tuple[str, ...]) -> None:
    found = [between(key(low), key(high)) if high else at_least(key(low)) for low, high in sets]
    assert VersionSet.union(found).intervals(prereleases=True) == shown
    assert VersionSet.union(reversed(found)).intervals(prereleases=True) == shown


def test_intersection_keeps_what_all_have() -> None:
    sets = [at_least(key("1.0.0")), below(key("3.0.0")), exactly(key("2.0.0")).complement()]
    assert VersionSet.intersection(sets).intervals(prereleases=True) == ("[1.0.0, 2.0.0)", "(2.0.0, 3.0.0)")
    assert VersionSet.intersection([]) == EVERYTHING


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        pytest.param(exactly(key("1.0.0-rc.1")), "[1.0.0-rc.1]", id="one version"),
        pytest.param(up_to(key("1.0.0")), "[0.0.0-0, 1.0.0]", id="closed end"),
        pytest.param(above(key("1.0.0")), "(1.0.0, ∞)", id="open start"),
    ],
)
def test_intervals_print_bounds(found: VersionSet, shown: str) -> None:
    assert found.intervals(prereleases=True) == (shown,)


def test_intervals_drop_the_lowest_prerelease_when_prereleases_do_not_count() -> None:
    assert between(key("1.0.0-0"), key("2.0.0-0")).intervals(prereleases=False) == ("[1.0.0, 2.0.0)",)
