from __future__ import annotations

import pytest

from operator_controller.pace import PAUSE_S, Pace


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_pace_lets_the_first_pass_and_delays_the_next() -> None:
    clock = Clock()
    pace = Pace(clock)
    first = pace.delay_s("a")
    clock.now += PAUSE_S / 4
    assert [first, pace.delay_s("a"), pace.delay_s("b")] == pytest.approx([0, PAUSE_S * 3 / 4, 0])
    clock.now += PAUSE_S
    assert pace.delay_s("a") == 0


def test_pace_forgets_keys_that_rest() -> None:
    clock = Clock()
    pace = Pace(clock)
    for number in range(5000):
        pace.delay_s(str(number))
        clock.now += PAUSE_S
    assert len(pace._last) < 5000
