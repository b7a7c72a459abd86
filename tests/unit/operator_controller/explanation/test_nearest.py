from __future__ import annotations

import pytest

from olmv1.versions import Range
from operator_controller.explanation.nearest import nearest_versions
from operator_controller.resolver import CatalogContent
from tests.explanations import a_place, a_request

PLACE = a_place({"s": ["4.0.0", "3.0.0-rc.1", "2.0.0", "1.0.0"], "t": ["2.5.0"]}, deprecated=["2.0.0"])
RC = a_place({"s": ["2.0.0-rc.1"]})


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        pytest.param("3.0.0", PLACE, ("1.0.0", "4.0.0"), id="both sides, good ones only"),
        pytest.param(">=9", PLACE, ("4.0.0",), id="above everything"),
        pytest.param("<0.5", PLACE, ("1.0.0",), id="below everything"),
        pytest.param("<1 >2", PLACE, (), id="contradiction"),
        pytest.param("1.0.0", RC, ("2.0.0-rc.1",), id="a pre-release when there is nothing else"),
    ],
)
def test_nearest_versions_are_outside_the_range(text: str, place: CatalogContent, expected: tuple[str, ...]) -> None:
    assert nearest_versions(a_request(channels=["s"]), Range.parse(text), (place,)) == expected
