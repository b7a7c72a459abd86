"""Processes that cannot outlive their owner: the client of `guard.py`.

Used by every module here that starts a program. It knows nothing of Kubernetes.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from devcluster.errors import DevClusterError

__all__ = ["Command", "Guard", "Process", "tail_of"]

_SCRIPT = Path(__file__).with_name("guard.py")


@dataclass(frozen=True, slots=True)
class Command:
    """One program to run: `env` is the whole environment, output and errors are appended to `log`."""

    name: str
    argv: tuple[str, ...]
    cwd: Path
    log: Path
    env: Mapping[str, str]


class Process:
    """A program that was started by a guard; it may have ended since."""

    def __init__(self, guard: Guard, command: Command, pid: int) -> None:
        self._guard = guard
        self.command = command
        self.pid = pid

    def returncode(self) -> int | None:
        """The exit code, negative for a signal; `None` while the program runs."""
        code: int | None = self._guard.request({"do": "poll", "pid": self.pid})["code"]
        return code

    def signal(self, number: int = signal.SIGTERM) -> None:
        """Send a signal; does nothing when the program has ended."""
        self._guard.request({"do": "signal", "pid": self.pid, "signal": int(number)})

    def wait(self, timeout_s: float) -> int | None:
        """The exit code once the program has ended, `None` when it still runs after `timeout_s` seconds."""
        with contextlib.suppress(ProcessLookupError):
            watched = os.pidfd_open(self.pid)
            try:
                # poll, not select: a test session may hold more than 1024 open files
                waiter = select.poll()
                waiter.register(watched, select.POLLIN)
                waiter.poll(timeout_s * 1000)
            finally:
                os.close(watched)
        return self.returncode()

    def log_tail(self, lines: int = 20) -> str:
        """The last lines of the program's log."""
        return tail_of(self.command.log, lines)


class Guard:
    """The process that all programs of one cluster are children of."""

    def __init__(self, process: subprocess.Popen[bytes], channel: socket.socket) -> None:
        self._process = process
        self._channel = channel
        self._lines = channel.makefile("rwb")
        self._lock = threading.Lock()

    @classmethod
    def start(cls) -> Guard:
        """A running guard without programs."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SCRIPT), str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )
        return cls(process, ours)

    @property
    def pid(self) -> int:
        """Process id of the guard itself."""
        return self._process.pid

    def spawn(self, command: Command) -> Process:
        """Start one program.

        Raises: DevClusterError when the system refuses to start it.
        """
        message = {
            "do": "start",
            "argv": list(command.argv),
            "cwd": str(command.cwd),
            "env": dict(command.env),
            "log": str(command.log),
        }
        answer = self.request(message)
        if "error" in answer:
            raise DevClusterError(f"cannot start {command.name} ({command.argv[0]}): {answer['error']}")
        return Process(self, command, answer["pid"])

    def remove_at_end(self, folder: Path) -> None:
        """Have `folder` removed after the last program has ended, also when the owner was killed."""
        self.request({"do": "remove", "path": str(folder)})

    def request(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The guard's answer to one request.

        Raises: DevClusterError when the guard is gone.
        """
        try:
            with self._lock:
                self._lines.write(json.dumps(message).encode() + b"\n")
                self._lines.flush()
                line = self._lines.readline()
        except (OSError, ValueError) as failure:
            raise DevClusterError("the guard process of this cluster has ended, and its programs with it") from failure
        if not line:
            raise DevClusterError("the guard process of this cluster has ended, and its programs with it")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self, timeout_s: float = 20) -> None:
        """Kill every program, wait until all are gone and the folders are removed; a second call does nothing."""
        with self._lock, contextlib.suppress(OSError, ValueError):
            self._lines.close()
        self._channel.close()
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def tail_of(log: Path, lines: int = 20) -> str:
    """The last `lines` lines of a log file, or a sentence that says there is none; reads at most 64 KiB."""
    try:
        with log.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 65536))
            kept = file.read().decode(errors="replace").splitlines()[-lines:]
    except FileNotFoundError:
        return f"(no log at {log})"
    return "\n".join(kept) if kept else f"(the log {log} is empty)"
