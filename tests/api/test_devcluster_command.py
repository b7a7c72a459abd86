"""`python -m devcluster` as a person types it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.daemon import is_alive, record_of
from devcluster.waiting import wait_for

PROJECT = Path(__file__).parents[2]


def devcluster(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "devcluster", *arguments]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=120, check=False)


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "state"
    devcluster("down", "--state", str(tmp_path / "state"))


def test_up_prints_how_to_use_the_cluster_and_down_ends_it(state: Path) -> None:
    up = devcluster("up", "--state", str(state))
    assert (up.returncode, f"export KUBECONFIG={state}/admin.kubeconfig\n" in up.stdout) == (0, True)
    record = record_of(state)
    assert record is not None
    status = devcluster("status", "--state", str(state))
    assert (status.returncode, status.stdout.count(" running ")) == (0, 7)
    assert devcluster("down", "--state", str(state)).stdout == "stopped\n"
    assert [name for name, pid in record.programs.items() if is_alive(pid)] == []
    assert (state / "logs" / "kube-apiserver.log").exists()


def test_up_keeps_a_cluster_that_runs_and_starts_one_where_it_was_killed(state: Path) -> None:
    devcluster("up", "--state", str(state))
    first = record_of(state)
    devcluster("up", "--state", str(state))
    assert first is not None
    assert record_of(state) == first
    os.kill(first.pid, signal.SIGKILL)
    wait_for(lambda: not any(map(is_alive, first.programs.values())), "the programs to end", timeout_s=10)
    assert devcluster("up", "--state", str(state)).returncode == 0
    second = record_of(state)
    assert second is not None
    assert second.pid != first.pid


def test_status_and_down_say_when_nothing_runs(tmp_path: Path) -> None:
    status, down = devcluster("status", "--state", str(tmp_path)), devcluster("down", "--state", str(tmp_path))
    assert (status.returncode, status.stdout) == (1, f"no cluster runs in {tmp_path}\n")
    assert (down.returncode, down.stdout) == (0, f"no cluster runs in {tmp_path}\n")


def test_run_gives_the_command_a_cluster_and_returns_its_code() -> None:
    script = 'kubectl get nodes -o name; test -f "$KUBECONFIG" && test -n "$DEVCLUSTER_REGISTRY" && exit 7'
    done = devcluster("run", "--", "/bin/sh", "-c", script)
    assert (done.returncode, done.stdout) == (7, "node/node-1\n")


def test_run_says_which_command_is_missing() -> None:
    done = devcluster("run", "--", "/nowhere/command")
    assert (done.returncode, done.stderr) == (1, "devcluster: cannot run /nowhere/command: No such file or directory\n")
