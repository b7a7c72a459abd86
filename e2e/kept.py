"""A demo that leaves its cluster running: the story is told by a child process, which then becomes the background
process that `python -m devcluster down` knows how to stop.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from devcluster.binaries import PROJECT_DIR
from devcluster.daemon import DEFAULT_STATE_DIR, Record
from e2e.world import World

__all__ = ["in_background"]

Keep = Callable[[World], None]


def in_background(tell: Callable[[Keep], int]) -> int:
    """Run `tell` in a child process; it gets a function that keeps a world until the child is asked to end.

    Returns once the world is kept, with 0, or when the child has ended, with its exit code.
    """
    DEFAULT_STATE_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        # The story begins in the group of the terminal, so that Ctrl-C ends it.
        os._exit(_tell(tell, lambda world: _keep(world, writing)))
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            is_kept = pipe.read(1) == b"k"
        return 0 if is_kept else os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except KeyboardInterrupt:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _tell(tell: Callable[[Keep], int], keep: Keep) -> int:
    """The exit code of `tell`, run with an output of its own: programs that it starts must not hold the caller's."""
    out, err = (os.fdopen(os.dup(number), "w") for number in (1, 2))
    with (DEFAULT_STATE_DIR / "supervisor.log").open("wb") as log:
        os.dup2(log.fileno(), 1)
        os.dup2(log.fileno(), 2)
    sys.stdout, sys.stderr = out, err
    try:
        return tell(keep)
    except BaseException:  # the last frame of this process
        sys.excepthook(*sys.exc_info())
        return 1


def _keep(world: World, writing: int) -> None:
    """Tell how to use the cluster, hand the terminal back, and wait for the signal to end."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    record = DEFAULT_STATE_DIR / "cluster.json"
    scratch = record.with_suffix(".new")
    scratch.write_text(json.dumps(asdict(_record(world)), indent=1))
    scratch.rename(record)
    try:
        sys.stdout.write(_usage(world))
        sys.stdout.close()
        sys.stderr.close()
        os.setsid()
        os.write(writing, b"k")
        os.close(writing)
        while not ended.wait(1.0):
            pass
    finally:
        record.unlink(missing_ok=True)


def _record(world: World) -> Record:
    programs = {process.command.name: process.pid for process in world.cluster.processes}
    programs |= {component.name: component.pid for component in world.both}
    # field 22 of proc(5) is the start time; what precedes it may hold blanks up to the last parenthesis
    started = Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
    return Record(os.getpid(), started, world.cluster.environment, programs)


def _usage(world: World) -> str:
    folder = DEFAULT_STATE_DIR.relative_to(PROJECT_DIR)
    authority = world.cluster.authority_dir
    return f"""
The cluster stays. Use it (kubectl is also at .venv/bin/kubectl):
   export KUBECONFIG={world.cluster.kubeconfig}
   export CONTAINERS_REGISTRIES_CONF={world.cluster.workspace.state_dir / "registries.conf"}
   kubectl apply -f config/samples/clusterextension.yaml
   kubectl get clustercatalogs,clusterextensions,clusterobjectsets
   .venv/bin/olm status
   .venv/bin/olm catalog show --catalogd-cas-dir {authority}
   .venv/bin/olm rollback lantern --dry-run --catalogd-cas-dir {authority} --pull-cas-dir {authority}
Logs: {folder}/logs. Stop it: make demo-down
"""
