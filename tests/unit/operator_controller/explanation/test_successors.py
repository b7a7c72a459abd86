from __future__ import annotations

from operator_controller.explanation import Explanation, Stream
from tests.explanations import C1, C10, a_place, a_request, explained

ALL = ["3.0.0", "2.2.0", "2.1.0", "2.0.9", "2.0.1"]
PLACE = a_place({"s": [*(f"{text} (S 2.0.0)" for text in ALL), "2.0.0"]}, deprecated=["2.2.0"])


def streams(found: Explanation) -> list[tuple[Stream, str, bool]]:
    return [(each.stream, each.step.pin, each.is_wanted) for each in found.successors]


def test_successors_are_the_best_of_each_stream() -> None:
    assert streams(explained(a_request("2.0.0", version="<2.1"), PLACE)) == [
        (Stream.Z, "2.0.9", True),
        (Stream.Y, "2.1.0", False),
        (Stream.X, "3.0.0", False),
    ]


def test_successors_respect_a_held_major_version() -> None:
    found = explained(a_request("2.0.0", hold_major=True), PLACE)
    assert [each.stream for each in found.successors] == [Stream.Z, Stream.Y]


def test_successor_of_a_catalog_with_higher_priority_comes_first() -> None:
    first = a_place({"s": ["2.0.1 (S 2.0.0)"]}, name="first", priority=1)
    [z, *_] = explained(a_request("2.0.0"), PLACE, first).successors
    assert (z.step.pin, z.step.catalog, str(z.step.edge)) == ("2.0.1", "first", "skips in s")


def test_deprecated_successor_is_better_than_none() -> None:
    place = a_place({"s": ["1.1.0 (R 1.0.0)", "1.0.0"]}, deprecated=["1.1.0"])
    [found] = explained(a_request("1.0.0"), place).successors
    assert (found.stream, found.step.is_deprecated) == (Stream.Y, True)


def test_no_successors_without_something_installed_or_above_it() -> None:
    assert explained(a_request(), C1).successors == ()
    assert explained(a_request("3.0.0"), C10).successors == ()


def test_self_certified_needs_no_edge() -> None:
    [found] = explained(a_request("0.1.1", policy="SelfCertified"), C1).successors
    assert (found.step.pin, found.step.edge) == ("0.1.3", None)
