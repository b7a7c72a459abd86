"""Release names are short, without dots, and always the same."""

from __future__ import annotations

import pytest

from operator_controller.chart import release_name_of


@pytest.mark.parametrize(
    ("extension", "release"),
    [
        pytest.param("lantern", "lantern", id="as it is"),
        pytest.param("a" * 53, "a" * 53, id="longest"),
        pytest.param("a" * 54, f"{'a' * 44}-a3f01b69", id="too long"),
        pytest.param("shop.till", "shop-till-c274aca9", id="dots"),
        pytest.param(f"{'a' * 43}.b", f"{'a' * 43}-89c76ef6", id="dots, and long"),
    ],
)
def test_release_name_of_an_extension(extension: str, release: str) -> None:
    assert (release_name_of(extension), len(release) <= 53) == (release, True)


def test_release_name_of_different_extensions_differs() -> None:
    names = ["shop.till", "shop-till", "shop.till.", "a" * 60, "a" * 61]
    assert len({release_name_of(name) for name in names}) == len(names)
