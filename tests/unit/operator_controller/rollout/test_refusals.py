from __future__ import annotations

from operator_controller.rollout.refusals import Refusals


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_refusals_repeat_an_answer_for_a_minute() -> None:
    clock = Clock()
    refusals = Refusals(clock)
    refusals.remember("uid", ("a",), ("b",))
    assert (refusals.known("uid", ("a",)), refusals.known("uid", ("other",)), refusals.known("x", ("a",))) == (
        ("b",),
        None,
        None,
    )
    clock.now = 61
    assert refusals.known("uid", ("a",)) is None


def test_refusals_let_tries_grow_rarer_while_nothing_changes() -> None:
    refusals = Refusals(Clock())
    waits = [refusals.remember("uid", ("a",), ()) for _ in range(6)]
    assert waits == [5, 10, 20, 40, 60, 60]
    assert refusals.remember("uid", ("b",), ()) == 5


def test_refusals_start_anew_when_forgotten() -> None:
    refusals = Refusals(Clock())
    refusals.remember("uid", ("a",), ("b",))
    refusals.forget("uid")
    assert (refusals.known("uid", ("a",)), refusals.remember("uid", ("a",), ())) == (None, 5)
