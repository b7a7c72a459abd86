"""Processes of a guard: started, watched, ended with it, and told about when they fail."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from devcluster.daemon import is_alive
from devcluster.errors import DevClusterError
from devcluster.processes import Command, Guard, Process, tail_of
from devcluster.waiting import wait_for

# starts two sleepers, one of them a grandchild in a group of its own, and says the ids
OWNER = """
import json, sys, time
from pathlib import Path
from devcluster.processes import Command, Guard
guard = Guard.start()
folder = Path(sys.argv[1])
(folder / "state").mkdir()
guard.remove_at_end(folder / "state")
script = "setsid sleep 600 & echo $!; sleep 600"
process = guard.spawn(Command("sleeper", ("/bin/sh", "-c", script), folder, folder / "log", {"PATH": "/usr/bin:/bin"}))
while not (folder / "log").read_text().strip():
    time.sleep(0.01)
print(json.dumps([guard.pid, process.pid, int((folder / "log").read_text())]), flush=True)
time.sleep(600)
"""


@pytest.fixture
def guard() -> Iterator[Guard]:
    started = Guard.start()
    yield started
    started.close()


def a_shell(guard: Guard, folder: Path, script: str) -> Process:
    environment = {"PATH": "/usr/bin:/bin"}
    return guard.spawn(Command("shell", ("/bin/sh", "-c", script), folder, folder / "log", environment))


def an_owner(folder: Path) -> tuple[subprocess.Popen[bytes], list[int]]:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])}
    owner = subprocess.Popen([sys.executable, "-c", OWNER, str(folder)], stdout=subprocess.PIPE, env=environment)
    assert owner.stdout is not None
    with owner.stdout:
        return owner, json.loads(owner.stdout.readline())


def test_process_tells_its_exit_code_and_log(guard: Guard, tmp_path: Path) -> None:
    process = a_shell(guard, tmp_path, "echo one; echo two; exit 7")
    assert (process.wait(10), process.log_tail(1)) == (7, "two")


def test_process_runs_until_a_signal_ends_it(guard: Guard, tmp_path: Path) -> None:
    process = a_shell(guard, tmp_path, "exec sleep 600")
    assert process.wait(0.05) is None
    process.signal(signal.SIGTERM)
    assert process.wait(10) == -signal.SIGTERM


def test_spawn_refuses_a_program_that_is_not_there(guard: Guard, tmp_path: Path) -> None:
    command = Command("ghost", ("/nowhere/ghost",), tmp_path, tmp_path / "log", {})
    with pytest.raises(DevClusterError, match=r"^cannot start ghost \(/nowhere/ghost\): .*No such file or directory"):
        guard.spawn(command)


def test_guard_says_that_it_ended_when_it_is_asked_after_its_end(tmp_path: Path) -> None:
    guard = Guard.start()
    process = a_shell(guard, tmp_path, "exec sleep 600")
    guard.close()
    with pytest.raises(DevClusterError, match=r"^the guard process of this cluster has ended"):
        process.returncode()
    assert not is_alive(process.pid)


@pytest.mark.parametrize("killed", [pytest.param("owner", id="owner"), pytest.param("guard", id="guard")])
def test_programs_end_when_their_parents_are_killed(tmp_path: Path, killed: str) -> None:
    owner, (guard, program, orphan) = an_owner(tmp_path)
    os.kill(owner.pid if killed == "owner" else guard, signal.SIGKILL)
    wait_for(lambda: not is_alive(program), "the program to end", timeout_s=10)
    if killed == "owner":
        wait_for(lambda: not is_alive(orphan), "the orphan to end", timeout_s=10)
        wait_for(lambda: not (tmp_path / "state").exists(), "the folder to go", timeout_s=10)
    else:
        os.kill(orphan, signal.SIGKILL)
    owner.kill()
    owner.wait()


def test_wait_for_gives_the_log_of_a_program_that_ended(guard: Guard, tmp_path: Path) -> None:
    process = a_shell(guard, tmp_path, "echo out of luck; exit 3")
    process.wait(10)
    with pytest.raises(DevClusterError) as caught:
        wait_for(lambda: None, "a miracle", timeout_s=10, needs=[process])
    expected = f"shell ended with code 3 while waiting for a miracle\n--- end of {tmp_path}/log ---\nout of luck"
    assert str(caught.value) == expected


def test_wait_for_names_what_did_not_come_in_time() -> None:
    with pytest.raises(DevClusterError, match=r"^waited 0.4 s for a miracle$"):
        wait_for(lambda: False, "a miracle", timeout_s=0.1)


def test_tail_of_says_when_there_is_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert tail_of(tmp_path / "absent") == f"(no log at {tmp_path}/absent)"
    assert tail_of(tmp_path / "empty") == f"(the log {tmp_path}/empty is empty)"
