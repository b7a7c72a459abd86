"""Years of a built-in authority, with crashes between any two writes: whoever calls a webhook always trusts it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import Enum, auto

from hypothesis import given, settings
from hypothesis import strategies as st

from olmv1.tls.authority import KeyPair, is_issued_by, read_certificates
from operator_controller.certificates import Lifetimes, Need, due, next_look
from operator_controller.rollout.authority_secret import Stored, bundle_of, data_of, facts_of, stepped, stored_in

LIFETIMES = Lifetimes()
PLACE = ("lantern-system", "lantern-cert")
NEED = Need(PLACE, ("lantern.lantern-system.svc",))
START = datetime(2026, 1, 1, tzinfo=UTC)


class Ending(Enum):
    """How far a pass gets."""

    AUTHORITY = auto()
    SECRET = auto()
    ALL = auto()


class World:
    """What is stored, what is served, what callers trust."""

    def __init__(self) -> None:
        self.now = START
        self.stored = Stored()
        self.served: KeyPair | None = None
        self.trusted = ""
        self.spread = ""

    def run(self, ending: Ending) -> None:
        """One pass; the callers are looked at after each of its writes."""
        is_spread = self.spread == bundle_of(self.stored)
        steps = due(facts_of(self.stored), [NEED], self.now, LIFETIMES, is_spread=is_spread)
        self.stored = stored_in(data_of(stepped(self.stored, steps, "lantern", self.now, LIFETIMES)))
        self.check()
        if ending is Ending.AUTHORITY:
            return
        self.served = self.stored.serving[PLACE]
        if self.trusted:
            self.check()
        if ending is Ending.ALL:
            self.trusted = self.spread = bundle_of(self.stored)
            self.check()

    def check(self) -> None:
        """A caller verifies what is served."""
        if self.served is None or not self.trusted:
            return
        (leaf,) = read_certificates(self.served.certificate)
        issuers = [item for item in read_certificates(self.trusted) if is_issued_by(leaf.pem, item.pem)]
        assert leaf.span.start <= self.now < leaf.span.end
        assert [item for item in issuers if item.span.start <= self.now < item.span.end]


PASSES = st.lists(st.tuples(st.integers(0, 30), st.sampled_from(Ending)), min_size=20, max_size=60)


@settings(derandomize=True, deadline=None, max_examples=24)
@given(PASSES)
def test_callers_trust_what_is_served_whatever_a_pass_leaves_undone(passes: list[tuple[int, Ending]]) -> None:
    world = World()
    for number, (days, ending) in enumerate(passes):
        world.now += timedelta(days=days)
        world.check()
        # every third pass gets through, as it does somewhere within three months
        world.run(Ending.ALL if number % 3 == 0 else ending)


@settings(derandomize=True, deadline=None, max_examples=24)
@given(st.lists(st.integers(0, 2000), min_size=1, max_size=8))
def test_two_passes_do_all_that_is_due_however_long_nobody_looked(gaps: list[int]) -> None:
    world = World()
    for days in gaps:
        world.now += timedelta(days=days)
        world.served, world.trusted = None, ""  # what ran out meanwhile is no longer of interest
        world.run(Ending.ALL)  # may make a successor
        world.run(Ending.ALL)  # which then takes over
        facts = facts_of(world.stored)
        steps = due(facts, [NEED], world.now, LIFETIMES, is_spread=True)
        assert steps.is_nothing
        assert world.now < next_look(facts, [NEED], world.now, LIFETIMES) <= world.now + LIFETIMES.authority


def test_ten_years_of_looking_in_time_cost_few_writes() -> None:
    world, writes, before = World(), 0, Stored()
    while world.now < START + timedelta(days=3650):
        world.run(Ending.ALL)
        writes += world.stored != before
        before = world.stored
        facts = facts_of(world.stored)
        is_waiting = facts.successor_end is not None
        world.now = world.now if is_waiting else next_look(facts, [NEED], world.now, LIFETIMES)
    assert writes < 40
