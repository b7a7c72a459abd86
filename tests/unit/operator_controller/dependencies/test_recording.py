from __future__ import annotations

import json

import pytest

from olmv1.constraints import Property
from operator_controller.dependencies import read_properties, recorded_properties
from operator_controller.dependencies.recording import MAX_SIZE_BYTES
from tests.requirements import BLUE, an_api, needs_package


def test_recorded_properties_come_back_as_they_were() -> None:
    blob = (Property("olm.package", {"packageName": "blue", "version": "1.0.0"}), an_api(BLUE))
    image = (an_api(BLUE), needs_package("green", ">1.0.0"), Property("color", None), Property("n", 2**60))
    text = recorded_properties(blob, image)
    assert read_properties(text) == (*blob, *image[1:])
    assert text.startswith('[{"type":"olm.package","value":{"packageName":"blue","version":"1.0.0"}},{')


def test_recorded_properties_leave_out_what_is_for_display() -> None:
    large = (Property("olm.bundle.object", {"data": "x"}), Property("olm.csv.metadata", {}), Property("shape", "round"))
    assert recorded_properties(large, ()) == '[{"type":"shape","value":"round"}]'
    assert recorded_properties((), ()) == "[]"


def test_recorded_properties_drop_the_least_useful_and_say_so() -> None:
    apis = [an_api(("g.example.com", "v1", f"K{number}")) for number in range(400)]
    notes = [Property(f"note{number % 30}", "x" * (1000 + number)) for number in range(60)]
    text = recorded_properties((*notes, *apis), [needs_package("green", ">1.0.0")])
    found = read_properties(text)
    assert found is not None
    assert len(text.encode()) <= MAX_SIZE_BYTES
    assert [each for each in found if each.type.startswith("olm.")] == [*apis, needs_package("green", ">1.0.0")]
    kept = sum(each.type.startswith("note") for each in found)
    assert 0 < kept < 60
    mark = found[-1]
    assert mark.type == "extras.olm.operatorframework.io/dropped-properties"
    assert isinstance(mark.value, dict)
    assert (mark.value["count"], len(mark.value["types"])) == (60 - kept, 20)


def test_recorded_properties_stay_bounded_whatever_they_hold() -> None:
    huge = [Property("t" * 50_000 + str(number), "é" * 40_000) for number in range(40)]
    assert len(recorded_properties(huge, [Property("olm.gvk", "x" * 200_000)]).encode()) <= MAX_SIZE_BYTES


def test_recorded_properties_leave_out_what_is_nested_absurdly_deep() -> None:
    deep: object = 1
    for _ in range(50_000):
        deep = [deep]
    assert recorded_properties([Property("x", deep), Property("y", 1)], ()) == '[{"type":"y","value":1}]'


@pytest.mark.parametrize(
    "text", [None, "", "{", "{}", "[1]", '[{"value":1}]', "[" * 100_000, json.dumps([{"type": 1}])]
)
def test_read_properties_knows_nothing_when_nothing_readable_was_recorded(text: str | None) -> None:
    assert read_properties(text) is None
