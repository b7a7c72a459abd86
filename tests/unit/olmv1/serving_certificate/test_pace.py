from __future__ import annotations

from olmv1.serving_certificate.pace import Pace


def test_pace_allows_twenty_tries_and_then_two_a_minute() -> None:
    now = [100.0]
    pace = Pace(lambda: now[0])
    waits = []
    for _ in range(21):
        waits.append(pace.wait_s())
        pace.step()
    assert waits == [0.0] * 20 + [30.0]


def test_pace_is_free_again_after_a_calm_time() -> None:
    now = [100.0]
    pace = Pace(lambda: now[0])
    for _ in range(20):
        pace.step()
    now[0] += 45
    assert pace.wait_s() == 0.0
    pace.step()
    assert pace.wait_s() == 15.0
    now[0] += 86400
    for _ in range(20):
        assert pace.wait_s() == 0.0
        pace.step()
    assert pace.wait_s() == 30.0
