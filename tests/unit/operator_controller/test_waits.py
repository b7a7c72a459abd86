from __future__ import annotations

from operator_controller.waits import Waits


def test_extensions_are_found_by_what_they_wait_for() -> None:
    waits = Waits()
    waits.note("one", ["a.example.com", "b.example.com"])
    waits.note("two", ["b.example.com"], is_for_others=True)
    assert [waits.for_group(group) for group in ("a.example.com", "b.example.com", "c.example.com")] == [
        ("one",),
        ("one", "two"),
        (),
    ]
    assert waits.for_others() == ("two",)


def test_extension_that_waits_no_more_is_forgotten() -> None:
    waits = Waits()
    for name in ("one", "two"):
        waits.note(name, ["a.example.com"], is_for_others=True, is_for_rights=True)
    assert waits.for_rights() == ("one", "two")
    waits.note("one")
    waits.forget("two")
    assert (waits.for_group("a.example.com"), waits.for_others(), waits.for_rights()) == ((), (), ())
