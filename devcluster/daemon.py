"""A cluster that outlives the command that asked for it: `up`, `down` and `status` of `python -m devcluster`.

Owns the record of the running cluster, `cluster.json` in its state folder. The cluster lives in a background process
(`serve`); ending that process, in whatever way, ends the cluster.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from devcluster.binaries import PROJECT_DIR, ensure
from devcluster.cluster import Cluster
from devcluster.components import Components, catalogd, operator_controller
from devcluster.errors import DevClusterError
from devcluster.processes import tail_of

__all__ = ["DEFAULT_STATE_DIR", "Record", "bring_up", "is_alive", "record_of", "serve", "take_down"]

DEFAULT_STATE_DIR = PROJECT_DIR / ".tools" / "cluster"
_UP_TIMEOUT_S = 120
_DOWN_TIMEOUT_S = 40


@dataclass(frozen=True, slots=True)
class Record:
    """The running cluster: the background process (with its start time, as ids are used again), what a user needs to
    reach it (`environment`), and the process id of each program.
    """

    pid: int
    started: str
    environment: Mapping[str, str]
    programs: Mapping[str, int]


def bring_up(state_dir: Path, *, with_components: bool = False) -> Record:
    """Start a cluster in the background and return when it is ready; one that runs already is returned as it is.

    Raises: DevClusterError with the end of its log when it does not become ready.
    """
    running = record_of(state_dir)
    if running:
        return running
    ensure()  # the first build shows its progress here and not in the log
    state_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    log = state_dir / "supervisor.log"
    command = [sys.executable, "-m", "devcluster", "serve", "--state", str(state_dir)]
    with log.open("wb") as output:
        background = subprocess.Popen(
            [*command, *(["--components"] if with_components else [])],
            cwd=PROJECT_DIR,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    end = time.monotonic() + _UP_TIMEOUT_S
    while time.monotonic() < end and background.poll() is None:
        record = record_of(state_dir)
        if record:
            return record
        time.sleep(0.05)
    with suppress(ProcessLookupError):
        background.kill()
    raise DevClusterError(f"the cluster did not start; the end of {log}:\n{tail_of(log)}")


def serve(state_dir: Path, *, with_components: bool = False) -> None:
    """Run a cluster in this process until SIGTERM or SIGINT; the record exists while it is ready."""
    ended = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: ended.set())
    record_file = state_dir / "cluster.json"
    with Cluster.start(state_dir) as cluster:
        programs = {process.command.name: process.pid for process in cluster.processes}
        components = _start_components(cluster) if with_components else None
        if components:
            programs |= {c.name: c.pid for c in (components.catalogd, components.operator_controller)}
        record = Record(os.getpid(), _start_time(os.getpid()), cluster.environment, programs)
        scratch = record_file.with_suffix(".new")
        scratch.write_text(json.dumps(asdict(record), indent=1))
        scratch.rename(record_file)
        try:
            while not ended.wait(1.0):
                pass
        finally:
            record_file.unlink(missing_ok=True)
            if components:
                components.stop()


def take_down(state_dir: Path) -> bool:
    """End the cluster of a state folder and wait until it is gone; false where none was running.

    Raises: DevClusterError when it had to be killed.
    """
    record = record_of(state_dir)
    if record is None:
        return False
    os.kill(record.pid, signal.SIGTERM)
    end = time.monotonic() + _DOWN_TIMEOUT_S
    while time.monotonic() < end:
        if _start_time(record.pid) != record.started:
            return True
        time.sleep(0.05)
    os.kill(record.pid, signal.SIGKILL)
    raise DevClusterError(f"the cluster did not end in {_DOWN_TIMEOUT_S} s and was killed")


def record_of(state_dir: Path) -> Record | None:
    """The cluster that runs with this state folder, `None` where none does."""
    try:
        record = Record(**json.loads((state_dir / "cluster.json").read_text()))
    except FileNotFoundError:
        return None
    return record if _start_time(record.pid) == record.started else None


def is_alive(pid: int) -> bool:
    """Whether a process with this id runs (a zombie does not)."""
    return _start_time(pid) != ""


def _start_components(cluster: Cluster) -> Components:
    cluster.install_olm()
    return Components(catalogd(cluster), operator_controller(cluster)).start()


def _start_time(pid: int) -> str:
    """The start time of a running process in clock ticks, empty where there is none or only its remains."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if fields[0] in ("Z", "X") else fields[19]
