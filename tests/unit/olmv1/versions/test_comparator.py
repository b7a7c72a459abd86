from __future__ import annotations

import pytest

from olmv1.versions.comparator import COMPARATOR, Comparator, Shape, parse_comparator
from olmv1.versions.precedence import spelled


def parse(text: str) -> Comparator:
    found = COMPARATOR.fullmatch(text)
    assert found
    return parse_comparator(found)


@pytest.mark.parametrize(
    ("text", "operator", "shape", "base"),
    [
        ("1.2.3", "=", Shape.FULL, "1.2.3"),
        ("=> v01.2.3-rc.1+b", ">=", Shape.FULL, "1.2.3-rc.1"),
        ("=<1.2.X", "<=", Shape.PATCH_OPEN, "1.2.0"),
        ("~>1.2", "~", Shape.PATCH_OPEN, "1.2.0"),
        ("^1", "^", Shape.MINOR_OPEN, "1.0.0"),
        ("1.x.3x|", "=", Shape.MINOR_OPEN, "1.0.0"),
        (">*.3.3-0", ">", Shape.ANY, "0.0.0-0"),
    ],
)
def test_parse_comparator_reads_operator_shape_and_base(text: str, operator: str, shape: Shape, base: str) -> None:
    found = parse(text)
    assert (found.operator, found.shape, spelled(found.base)) == (operator, shape, base)


@pytest.mark.parametrize("text", ["12x", "1|2", "1.2x", "1.2.3x", f"{2**64}", "1.2.3-01"])
def test_parse_comparator_refuses_parts_that_are_no_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r"^constraint parser error$"):
        parse(text)


@pytest.mark.parametrize(
    ("operator", "shown"),
    [
        ("=", ("[1.2.3]", "[1.2.0, 1.3.0)", "[1.0.0, 2.0.0)", "[0.0.0, ∞)")),
        (
            "!=",
            (
                "[0.0.0, 1.2.3) (1.2.3, ∞)",
                "[0.0.0, 1.2.0) [1.3.0, ∞)",
                "[0.0.0, 1.0.0) [2.0.0, ∞)",
                "[0.0.0, 0.0.0) (0.0.0, ∞)",
            ),
        ),
        (">", ("(1.2.3, ∞)", "[1.3.0, ∞)", "[2.0.0, ∞)", "(0.0.0, ∞)")),
        ("<", ("[0.0.0, 1.2.3)", "[0.0.0, 1.2.0)", "[0.0.0, 1.0.0)", "[0.0.0, 0.0.0)")),
        (">=", ("[1.2.3, ∞)", "[1.2.0, ∞)", "[1.0.0, ∞)", "[0.0.0, ∞)")),
        ("<=", ("[0.0.0, 1.2.3]", "[0.0.0, 1.3.0)", "[0.0.0, 2.0.0)", "[0.0.0, 0.1.0)")),
        ("~", ("[1.2.3, 1.3.0)", "[1.2.0, 1.3.0)", "[1.0.0, 2.0.0)", "[0.0.0, ∞)")),
        ("^", ("[1.2.3, 2.0.0)", "[1.2.0, 2.0.0)", "[1.0.0, 2.0.0)", "[0.0.0, 0.0.1)")),
    ],
)
def test_operator_means_per_shape(operator: str, shown: tuple[str, ...]) -> None:
    found = [parse(operator + text).admitted().intervals(prereleases=False) for text in ("1.2.3", "1.2.x", "1.x", "x")]
    assert tuple(" ".join(each) for each in found) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("^0.2.3", "[0.2.3, 0.3.0)"),
        ("^0.0.3", "[0.0.3, 0.0.4)"),
        ("^0.2", "[0.2.0, 0.3.0)"),
        ("^0.0", "[0.0.0, 0.1.0)"),
        ("^0", "[0.0.0, 1.0.0)"),
        ("~0.0.0", "[0.0.0, ∞)"),
        ("~0.0.1", "[0.0.1, 0.1.0)"),
        ("~0.0", "[0.0.0, 0.1.0)"),
    ],
)
def test_operator_treats_leading_zeros_apart(text: str, shown: str) -> None:
    assert parse(text).admitted().intervals(prereleases=False) == (shown,)


def test_unequal_with_an_open_patch_and_a_prerelease_refuses_it_at_every_patch() -> None:
    found = parse("!=1.2.x-rc")
    assert found.refuses_everywhere() == (1, 2, ((1, "rc"),))
    assert found.admitted() == found.admitted_prereleases()
    assert parse("!=1.2.x").refuses_everywhere() is None
