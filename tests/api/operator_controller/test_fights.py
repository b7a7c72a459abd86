"""Two that want one object: each is told of the other, and neither writes for ever."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest

from devcluster.waiting import wait_for
from e2e.world import condition
from tests.api.operator_controller.conftest import Sets

WINDOW_S = 15.0
RIVAL = "rival-controller"


def writes(sets: Sets, since: int, name: str) -> int:
    """How often the account wrote a ConfigMap of the namespace."""
    user, place = f"system:serviceaccount:{sets.namespace}:installer", f"/configmaps/{name}"
    found = sets.cluster.audit.requests(since=since)
    return sum(item.as_user == user and item.is_write and place in item.uri for item in found)


def rivalry(sets: Sets, name: str) -> Callable[[], None]:
    """Takes a field of the object away from whoever has it, as another manager."""
    theirs = sets.config_map(name, a="theirs")

    def strike() -> None:
        if sets.data(name) != {"a": "theirs"}:
            manager = f"--field-manager={RIVAL}"
            command = ("apply", "--server-side", "--force-conflicts", manager, "-f", "-")
            sets.kubectl.run(*command, stdin=json.dumps(theirs).encode())

    return strike


def reports(sets: Sets, names: list[str]) -> list[str]:
    found = (sets.kubectl.get("clusterobjectset", name) for name in names)
    return [str(condition(item, "Progressing").get("message")) for item in found]


def observe(look: Callable[[], None]) -> None:
    """Look again and again, for as long as a fight would take to show itself."""
    end = time.monotonic() + WINDOW_S

    def is_over() -> bool:
        look()
        return time.monotonic() >= end

    wait_for(is_over, "the window to end", timeout_s=WINDOW_S + 60)


@pytest.mark.parametrize("protection", ["Prevent", "IfNoController", "None"])
def test_two_sets_report_each_other_and_come_to_rest(sets: Sets, protection: str) -> None:
    sets.grant()
    mine = sets.apply(1, [sets.config_map("shared", who="mine")], collisionProtection=protection)
    sets.wait_succeeded(mine)
    sets.owner, before = f"{sets.owner}-other", sets.owner
    theirs = sets.apply(1, [sets.config_map("shared", who="theirs")], collisionProtection=protection)

    def loser() -> str | None:
        first = [text.partition("\n")[0] for text in reports(sets, [mine, theirs])]
        losers = [text for text in first if text == "revision object collisions in phase 0"]
        return "one" if len(losers) == 1 and first.count("Revision 1.0.0 has rolled out.") == 1 else None

    wait_for(loser, "one of the two to have the object", timeout_s=40)
    mark, settled = sets.cluster.audit.position(), reports(sets, [mine, theirs])
    observe(lambda: None)
    assert (writes(sets, mark, "shared"), reports(sets, [mine, theirs])) == (0, settled)
    names = {"mine": mine, "theirs": theirs}
    winner = names.pop((sets.data("shared") or {})["who"])
    (text,) = reports(sets, list(names.values()))
    assert f"Conflicting Owner: &OwnerReference{{Kind:ClusterObjectSet,Name:{winner},UID:" in text
    sets.clean()
    sets.owner = before


def test_rival_manager_is_named_and_fought_ever_more_rarely(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("shared", a="ours")])
    sets.wait_succeeded(name)
    mark, strike = sets.cluster.audit.position(), rivalry(sets, "shared")
    text = (
        f'Object ConfigMap.v1 {sets.namespace}/shared: field manager "{RIVAL}" sets .data.a, again and again: '
        "the revision takes it back ever more rarely until one of the two gives up"
    )

    def is_told() -> bool:
        strike()
        return reports(sets, [name]) == [text]

    wait_for(is_told, "the rival to be named", timeout_s=60)
    states = set[str]()

    def look() -> None:
        strike()
        states.update(reports(sets, [name]))

    observe(look)
    assert states == {text}
    # Five repairs at once, then after 2, 4, 8 s: each is an apply that is refused, and a forced one.
    assert writes(sets, mark, "shared") <= 2 * 10
    found = sets.kubectl.get("clusterobjectset", name)
    assert condition(found, "Available")["status"] == "True"
    wait_for(lambda: sets.data("shared") == {"a": "ours"}, "the object to be taken back", timeout_s=60)
