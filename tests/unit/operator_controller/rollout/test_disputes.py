from __future__ import annotations

from olmv1.kube.resources import SECRETS
from operator_controller.rollout.disputes import Disputes, Spot

SPOT: Spot = (SECRETS, "shop", "till")
OTHER: Spot = (SECRETS, "shop", "other")


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def fought(clock: Clock, repairs: int) -> Disputes:
    disputes = Disputes(clock)
    for _ in range(repairs):
        disputes.repaired("uid", SPOT, ("them",))
    return disputes


def test_first_repairs_follow_at_once() -> None:
    disputes = fought(Clock(), 5)
    assert (disputes.pause_s("uid", SPOT), disputes.rivals("uid", SPOT)) == (0.0, None)


def test_pauses_double_up_to_a_bound() -> None:
    pauses = [fought(Clock(), repairs).pause_s("uid", SPOT) for repairs in (6, 7, 8, 30)]
    assert pauses == [2.0, 4.0, 8.0, 300.0]


def test_dispute_is_about_one_object_of_one_revision() -> None:
    disputes = fought(Clock(), 6)
    assert disputes.rivals("uid", SPOT) == ("them",)
    assert (disputes.rivals("uid", OTHER), disputes.rivals("other", SPOT)) == (None, None)


def test_dispute_waits_for_the_next_repair_and_then_for_its_end() -> None:
    clock = Clock()
    disputes = fought(clock, 6)
    assert disputes.wait_s("uid", SPOT) == 2.0
    clock.now += 2.0
    assert (disputes.pause_s("uid", SPOT), disputes.wait_s("uid", SPOT)) == (0.0, 62.0)
    clock.now += 62.1
    assert (disputes.rivals("uid", SPOT), disputes.wait_s("uid", SPOT)) == (None, 0.0)


def test_rivals_stay_known_when_a_later_repair_names_none() -> None:
    disputes = fought(Clock(), 6)
    disputes.repaired("uid", SPOT)
    assert disputes.rivals("uid", SPOT) == ("them",)


def test_object_is_taken_from_another_controller_once() -> None:
    disputes = Disputes(Clock())
    assert disputes.may_seize("uid", SPOT)
    disputes.seized("uid", SPOT)
    assert (disputes.may_seize("uid", SPOT), disputes.may_seize("other", SPOT)) == (False, True)


def test_forget_drops_what_is_known_of_a_revision() -> None:
    disputes = fought(Clock(), 9)
    disputes.seized("uid", SPOT)
    disputes.forget("uid")
    assert (disputes.pause_s("uid", SPOT), disputes.may_seize("uid", SPOT)) == (0.0, True)
