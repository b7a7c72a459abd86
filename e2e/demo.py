"""`python -m e2e.demo`: the main job on a control plane of this machine, told step by step; every step is checked.

Exit code 0 when everything was as told, 1 when a step was not. `DEMO_KEEP=1` keeps the cluster for whoever wants to try
more; `make demo-down` stops it.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import Cluster
from devcluster.daemon import DEFAULT_STATE_DIR, record_of
from devcluster.errors import DevClusterError
from e2e.kept import in_background
from e2e.samples import push_bundles, push_catalog
from e2e.story import CHAPTERS, Story
from e2e.terminal import Terminal
from e2e.world import UnmetError, World

__all__ = ["main"]

LOGS = PROJECT_DIR / ".tools" / "demo-logs"
_TITLE = "OLM v1 in Python: from a catalog image to running objects"


def main() -> int:
    """Tell the story; the exit code."""
    os.chdir(PROJECT_DIR)  # the commands of the story name files below it
    if not os.environ.get("DEMO_KEEP"):
        return run(None, lambda _: None)
    if record_of(DEFAULT_STATE_DIR) is not None:
        sys.stderr.write("a cluster is kept already: stop it with make demo-down\n")
        return 1
    return in_background(lambda keep: run(DEFAULT_STATE_DIR, keep))


def run(state_dir: Path | None, keep: Callable[[World], None]) -> int:
    """Start a cluster, tell the story on it, call `keep` when all went well, and stop the cluster."""
    terminal = Terminal(sys.stdout)
    began = time.monotonic()
    terminal.title(_TITLE)
    try:
        with Cluster.start(state_dir) as cluster:
            try:
                world = _prepared(cluster, terminal, began)
                _tell(world, terminal)
                terminal.end(f"All {len(CHAPTERS)} steps went as told, in {time.monotonic() - began:.0f} s.")
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


def _prepared(cluster: Cluster, terminal: Terminal, began: float) -> World:
    version = json.loads(cluster.kubectl.run("version", "-o", "json"))["serverVersion"]["gitVersion"]
    terminal.good(
        f"Kubernetes {version} runs: etcd, API server, controllers, a node ({time.monotonic() - began:.1f} s)"
    )
    world = World(cluster)
    terminal.good("config/crd and config/rbac are applied; both components have these rights and no others")
    versions = push_bundles(world.registry)
    push_catalog(world.registry, 1)
    terminal.good(f"a registry holds {len(versions)} bundles of the sample operator and edition 1 of its catalog")
    world.start()
    terminal.good(f"catalogd and operator-controller are ready ({time.monotonic() - began:.1f} s)")
    return world


def _tell(world: World, terminal: Terminal) -> None:
    story = Story(world, terminal)
    for number, (headline, chapter) in enumerate(CHAPTERS, 1):
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
