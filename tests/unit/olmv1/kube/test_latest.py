"""What we wrote is known before the watch tells it."""

from __future__ import annotations

from typing import Any

from olmv1.kube.latest import Latest


def an_object(version: int, *, uid: str = "1", **status: Any) -> dict[str, Any]:
    return {"metadata": {"name": "lantern", "uid": uid, "resourceVersion": str(version)}, "status": status}


def test_what_the_watch_shows_is_the_newest_without_a_write() -> None:
    seen = an_object(7)
    assert Latest().of(seen) is seen


def test_own_write_is_the_newest_until_the_watch_has_it() -> None:
    latest, written = Latest(), an_object(9, ready=False)
    latest.note(written)
    assert latest.of(an_object(8, ready=True)) == written
    assert latest.of(an_object(8, ready=True)) == written
    for version in (9, 10, 8):  # what the watch has passed does not come back
        seen = an_object(version, ready=True)
        assert latest.of(seen) == seen


def test_later_write_takes_the_place_of_an_earlier_one() -> None:
    latest, second = Latest(), an_object(11)
    latest.note(an_object(9))
    latest.note(second)
    assert latest.of(an_object(10)) == second


def test_write_to_an_object_that_was_made_again_is_forgotten() -> None:
    latest, seen = Latest(), an_object(3, uid="2")
    latest.note(an_object(9))
    assert latest.of(seen) == seen


def test_object_that_is_gone_is_forgotten() -> None:
    latest, seen = Latest(), an_object(3)
    latest.note(an_object(9))
    latest.forget("lantern")
    latest.forget("other")
    assert latest.of(seen) == seen
