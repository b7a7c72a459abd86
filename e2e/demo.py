"""`python -m e2e.demo`: the main job on a control plane of this machine, told step by step; every step is checked.

`--chapter upgrade-gate` tells of a cluster that must not be upgraded instead.

Exit code 0 when everything was as told, 1 when a step was not. `DEMO_KEEP=1` keeps the cluster for whoever wants to try
more; `make demo-down` stops it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import Cluster
from devcluster.daemon import DEFAULT_STATE_DIR, record_of
from devcluster.errors import DevClusterError
from devcluster.registry import Registry
from e2e.kept import in_background
from e2e.samples import push_bundles, push_catalog
from e2e.story import CHAPTERS, Story
from e2e.terminal import Terminal
from e2e.upgrade_gate import GATE_CHAPTERS, push_gate_samples
from e2e.world import UnmetError, World

__all__ = ["main"]

LOGS = PROJECT_DIR / ".tools" / "demo-logs"


@dataclass(frozen=True, slots=True)
class _Tale:
    """What is told; `push` fills the registry and says with what."""

    title: str
    chapters: Sequence[tuple[str, Callable[[Story], None]]]
    push: Callable[[Registry], str]


def _push_samples(registry: Registry) -> str:
    versions = push_bundles(registry)
    push_catalog(registry, 1)
    return f"a registry holds {len(versions)} bundles of the sample operator and edition 1 of its catalog"


def _push_gate(registry: Registry) -> str:
    versions = push_gate_samples(registry)
    return f"a registry holds {len(versions)} bundles that declare a highest version of OpenShift, and their catalog"


_TALES: Final[Mapping[str, _Tale]] = {
    "main": _Tale("OLM v1 in Python: from a catalog image to running objects", CHAPTERS, _push_samples),
    "upgrade-gate": _Tale("OLM v1 in Python: may this cluster be upgraded?", GATE_CHAPTERS, _push_gate),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Tell the story; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m e2e.demo")
    parser.add_argument("--chapter", choices=sorted(_TALES), default="main", help="what is told (default: main)")
    tale = _TALES[parser.parse_args(arguments).chapter]
    os.chdir(PROJECT_DIR)  # the commands of the story name files below it
    if not os.environ.get("DEMO_KEEP"):
        return run(tale, None, lambda _: None)
    if record_of(DEFAULT_STATE_DIR) is not None:
        sys.stderr.write("a cluster is kept already: stop it with make demo-down\n")
        return 1
    return in_background(lambda keep: run(tale, DEFAULT_STATE_DIR, keep))


def run(tale: _Tale, state_dir: Path | None, keep: Callable[[World], None]) -> int:
    """Start a cluster, tell the story on it, call `keep` when all went well, and stop the cluster."""
    terminal = Terminal(sys.stdout)
    began = time.monotonic()
    terminal.title(tale.title)
    try:
        with Cluster.start(state_dir) as cluster:
            try:
                world = _prepared(tale, cluster, terminal, began)
                _tell(tale, world, terminal)
                terminal.end(f"All {len(tale.chapters)} steps went as told, in {time.monotonic() - began:.0f} s.")
                keep(world)
                world.components.stop()
            except BaseException:
                _save_logs(cluster)
                raise
    except (UnmetError, DevClusterError) as failure:
        _explain(terminal, failure)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def _prepared(tale: _Tale, cluster: Cluster, terminal: Terminal, began: float) -> World:
    version = json.loads(cluster.kubectl.run("version", "-o", "json"))["serverVersion"]["gitVersion"]
    terminal.good(
        f"Kubernetes {version} runs: etcd, API server, controllers, a node ({time.monotonic() - began:.1f} s)"
    )
    world = World(cluster)
    terminal.good("config/crd, config/rbac and config/admission are applied; both components have no other rights")
    terminal.good(tale.push(world.registry))
    world.start()
    terminal.good(f"catalogd and operator-controller are ready ({time.monotonic() - began:.1f} s)")
    return world


def _tell(tale: _Tale, world: World, terminal: Terminal) -> None:
    story = Story(world, terminal)
    for number, (headline, chapter) in enumerate(tale.chapters, 1):
        terminal.chapter(number, headline)
        try:
            chapter(story)
        except (UnmetError, DevClusterError) as failure:
            expected, found = _sides(failure)
            raise UnmetError(f"step {number}, {headline}:\n  {expected}", found) from failure


def _sides(failure: UnmetError | DevClusterError) -> tuple[str, str]:
    return (failure.expected, failure.found) if isinstance(failure, UnmetError) else ("no failure", str(failure))


def _explain(terminal: Terminal, failure: UnmetError | DevClusterError) -> None:
    expected, found = _sides(failure)
    terminal.bad(f"not as told: {expected}")
    terminal.say(f"found    {found}")
    terminal.say(f"logs     {LOGS}")


def _save_logs(cluster: Cluster) -> None:
    """Keep what a person needs to find the cause; the folder of the cluster goes away."""
    shutil.rmtree(LOGS, ignore_errors=True)
    shutil.copytree(cluster.workspace.logs_dir, LOGS)
    audit = cluster.state_dir / "audit.log"
    if audit.exists():
        shutil.copy(audit, LOGS)


if __name__ == "__main__":
    sys.exit(main())
