from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from operator_controller.explanation.plain import plain, record


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Lamp:
    is_on: bool
    colour_of_light: Colour | None
    parts: tuple[object, ...] = ()


def test_record_has_camel_case_members_in_the_order_of_its_fields() -> None:
    inner = Lamp(is_on=False, colour_of_light=None)
    found = record(Lamp(is_on=True, colour_of_light=Colour.RED, parts=(inner, {"a_b": [1]}, "x")))
    assert found == {
        "isOn": True,
        "colourOfLight": "red",
        "parts": [{"isOn": False, "colourOfLight": None, "parts": []}, {"a_b": [1]}, "x"],
    }
    assert type(found["colourOfLight"]) is str
    assert plain(None) is None
