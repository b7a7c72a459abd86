"""`python -m e2e.soak --kills N [--seed S]`: `kill -9` at random points, and proof that it costs nothing.

Several extensions are installed, upgraded, rolled back and removed in rounds, while the catalog changes; in each round
either component dies a few times and is started again at once. The operator-controller dies between two of its writes:
a gate before the API server lets a random number of them through and no more. After every round each extension must
have what was asked for; at the end `proof` looks for what was lost or left behind. Exit code 0 when there is nothing,
else 1.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.errors import DevClusterError
from devcluster.waiting import wait_for
from devcluster.write_gate import WriteGate
from e2e.fleet import Member, catalog_of, fleet, push_fleet, push_fleet_catalog
from e2e.inventory import take, wait_for_inventory
from e2e.proof import Proof, keepsakes
from e2e.terminal import Terminal
from e2e.world import UnmetError, World, expect, has_reached

__all__ = ["main"]

LOGS = PROJECT_DIR / ".tools" / "soak-logs"
_MEMBERS, _NAMED = 6, "lamp"
_KILLS_PER_ROUND = (2, 5)
_LONGEST_PAUSE_S = 2.0
_MOST_WRITES = 40
"""Of the controller before it dies: about what the work of one round takes."""
_PATIENCE_S = 90.0
_CONTROLLER_DIES = 0.75
"""How often it is the controller: only it writes what must not be lost."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, and the version that must come of it; no version: the extension is deleted."""

    version: str
    fields: Mapping[str, Any] = field(default_factory=dict)


_GONE = Wish("")
_NEXT: Final[Mapping[str, Sequence[Wish]]] = {
    "": [
        *(Wish("1.0.1", {"version": "~1.0"}), Wish("1.1.0", {"version": "1.1.0"}), Wish("1.2.0", {"version": "1.x"})),
        Wish("2.0.0", {"channels": ["stable-v2"]}),
    ],
    "1.0.0": [Wish("1.2.0", {"version": "1.x"}), Wish("1.0.1", {"version": "~1.0"}), _GONE],
    "1.0.1": [Wish("1.2.0", {"version": "1.x"}), Wish("1.2.0", {"version": ">=1.2, <2"}), _GONE],
    "1.1.0": [Wish("1.2.0", {"version": "1.x"}), _GONE],
    "1.2.0": [
        Wish("2.0.0", {"version": ">=1"}),
        Wish("1.0.0", {"version": "1.0.0", "upgradeConstraintPolicy": "SelfCertified"}),
    ],
    "2.0.0": [Wish("1.1.0", {"version": "1.1.0", "upgradeConstraintPolicy": "SelfCertified"}), _GONE],
}
"""What may be asked for, by what is installed."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the soak test; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m e2e.soak", description="kill the components while they work")
    parser.add_argument("--kills", type=int, default=100, metavar="N", help="how often (default 100)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="repeat the choices of an earlier run")
    options = parser.parse_args(arguments)
    seed = random.SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    terminal = Terminal(sys.stdout)
    terminal.title(f"{options.kills} kills, seed {seed}")
    try:
        with Cluster.start() as cluster:
            try:
                cluster.install_olm()
                Soak(cluster, terminal, random.Random(seed)).run(options.kills)
            except BaseException:
                shutil.rmtree(LOGS, ignore_errors=True)
                shutil.copytree(cluster.workspace.logs_dir, LOGS)
                raise
    except (UnmetError, DevClusterError) as failure:
        terminal.bad(f"seed {seed}: {failure}")
        terminal.say(f"logs     {LOGS}")
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


class Soak:
    """One run: the world, its extensions, and what each is asked to be; the cluster has OLM's CRDs and accounts."""

    def __init__(self, cluster: Cluster, terminal: Terminal, dice: random.Random) -> None:
        self._gate = WriteGate(cluster)
        flags = {"kubeconfig": str(self._gate.kubeconfig_for("operator-controller-controller-manager"))}
        self._world = World(cluster, controller_flags=flags)
        self._terminal = terminal
        self._dice = dice
        self._members = fleet(_MEMBERS, _NAMED)
        self._wanted: dict[Member, Wish] = dict.fromkeys(self._members, _GONE)
        self._keepsakes: dict[Member, Sequence[str]] = {}
        self._kills: Counter[str] = Counter()
        self._hits = 0

    def run(self, kills: int) -> None:
        """Kill `kills` times, then prove that nothing was lost or left behind.

        Raises: UnmetError naming what is not as it must be.
        """
        began, world = time.monotonic(), self._world
        push_fleet(world.registry, self._members)
        push_fleet_catalog(world.registry, self._members, 0)
        world.start()
        world.kubectl.apply(catalog_of(), *(manifest for member in self._members for manifest in member.installer()))
        world.wait_serving("fleet")
        before, rounds = take(world.kubectl), 0
        while self._kills.total() < kills:
            rounds += 1
            self._round(rounds, kills)
        versions = {member: wish.version for member, wish in self._wanted.items()}
        proof = Proof(world, versions)
        for what in proof.check():
            self._terminal.good(what)
        self._ask(dict.fromkeys(self._members, _GONE))
        wait_for_inventory(world.kubectl, before, 60)
        self._terminal.good("after everything was uninstalled, the cluster holds exactly what it held before")
        world.components.stop()
        self._gate.stop()
        killed = " and ".join(f"{name} {count} times" for name, count in sorted(self._kills.items()))
        minutes, seconds = divmod(round(time.monotonic() - began), 60)
        self._terminal.end(
            f"Killed {killed} in {rounds} rounds of work, {self._hits} times with work under way: "
            f"nothing lost, nothing left behind ({minutes}:{seconds:02} min)."
        )

    def _round(self, number: int, kills: int) -> None:
        began = time.monotonic()
        ref = push_fleet_catalog(self._world.registry, self._members, number)
        self._world.poll("fleet")
        self._ask({member: self._dice.choice(_NEXT[wish.version]) for member, wish in self._wanted.items()})
        count = min(self._dice.randint(*_KILLS_PER_ROUND), kills - self._kills.total())
        killed = [self._kill() for _ in range(count)]
        for component in self._world.both:
            component.wait_ready()
        self._world.wait_serving("fleet", ref)
        versions = {member: wish.version for member, wish in self._wanted.items()}
        expect("each extension to have what was asked for", self._is_reached, self._told, 90)
        self._compare_keepsakes(versions)
        shown = " ".join(version or "-" for version in versions.values())
        seconds = time.monotonic() - began
        self._terminal.say(f"round {number:2}  {shown:36} {seconds:4.1f} s  killed {', '.join(killed)}")

    def _ask(self, wishes: Mapping[Member, Wish]) -> None:
        """Apply and delete, all at once and without waiting."""
        gone = [member.name for member, wish in wishes.items() if not wish.version and self._wanted[member].version]
        wanted = [member.extension(**wish.fields) for member, wish in wishes.items() if wish.version]
        self._wanted = dict(wishes)
        if wanted:
            self._world.kubectl.apply(*wanted)
        if gone:
            self._world.kubectl.run("delete", "clusterextensions", "--wait=false", *gone)

    def _kill(self) -> str:
        """Kill one component at a random point and start it again at once; which, and after how many writes."""
        catalogd, controller = self._world.both
        victim = controller if self._dice.random() < _CONTROLLER_DIES else catalogd
        told = self._wait_for_the_point(victim)
        if not victim.is_running:
            raise UnmetError(f"{victim.name} to run until it is killed", f"it ended by itself; see {victim.log}")
        self._hits += not self._is_reached()
        victim.kill()
        wait_for(lambda: not victim.is_running, f"{victim.name} to be dead")
        self._gate.open()
        victim.start()
        self._kills[victim.name] += 1
        return told

    def _wait_for_the_point(self, victim: Component) -> str:
        """Wait until it is time to kill; where the controller has nothing more to write, until that is sure."""
        if victim is self._world.both[0]:
            time.sleep(self._dice.uniform(0, _LONGEST_PAUSE_S))
            return victim.name
        self._gate.watch_for(_NAMED, close_after=self._dice.randint(1, _MOST_WRITES))
        end = time.monotonic() + _LONGEST_PAUSE_S
        while not self._gate.is_closed and (time.monotonic() < end or not self._is_reached()):
            if time.monotonic() > end + _PATIENCE_S:
                raise UnmetError("the controller to write on, or all to be reached", self._told())
            time.sleep(0.01)
        return f"{victim.name} ({len(self._gate.seen)} writes)"

    def _is_reached(self) -> bool:
        found = {item["metadata"]["name"]: item for item in self._world.kubectl.items("clusterextensions")}
        return all(has_reached(found.get(member.name), wish.version) for member, wish in self._wanted.items())

    def _told(self) -> str:
        return "\n".join(self._world.told("clusterextension", member.name) for member in self._members)

    def _compare_keepsakes(self, versions: Mapping[Member, str]) -> None:
        """What must live as long as the extension is the same object as after the last round.

        Raises: UnmetError when something was deleted and made again.
        """
        for member, version in versions.items():
            if not version:
                self._keepsakes.pop(member, None)
                continue
            if member not in self._keepsakes:
                self._world.kubectl.apply(member.custom_resource("keepsake"))
            found = keepsakes(self._world.kubectl, member)
            if self._keepsakes.setdefault(member, found) != found:
                raise UnmetError(f"objects of {member.name}: {self._keepsakes[member]}", f"{found}")


if __name__ == "__main__":
    sys.exit(main())
