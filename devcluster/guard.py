"""The parent process of every program of a cluster: when its owner goes away, however it goes, all of them end.

Run as a script (`python -I -S guard.py FD`) by `devcluster.processes`, which speaks JSON lines over the socket FD.
It uses the standard library only and has one thread, which makes `preexec_fn` safe and gives the death signal a parent
*thread* that lives as long as the process (the kernel sends it when the creating thread ends, not the process).

Three nets, so that nothing is left behind: end of file on the socket, a pidfd of the owner (a forked copy of
the socket may keep it open), and the death signal in every child for the case that this process itself is killed.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


class Family:
    """The programs that were started here, and the folders that go away with them."""

    def __init__(self) -> None:
        self._members: dict[int, subprocess.Popen[bytes]] = {}
        self._folders: list[str] = []

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Do what one request says and return the answer to send; `{"error": …}` when the system refused."""
        try:
            match request["do"]:
                case "start":
                    return {"pid": self._start(request)}
                case "signal":
                    self._members[request["pid"]].send_signal(request["signal"])
                case "poll":
                    return {"code": self._members[request["pid"]].poll()}
                case "remove":
                    self._folders.append(request["path"])
        except OSError as failure:
            return {"error": str(failure)}
        return {}

    def _start(self, request: Mapping[str, Any]) -> int:
        with open(request["log"], "ab") as log:
            child = subprocess.Popen(
                request["argv"],
                cwd=request["cwd"],
                env=request["env"],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C on the terminal belongs to the owner alone
                preexec_fn=functools.partial(_die_with, os.getpid()),  # noqa: PLW1509 - one thread only
            )
        self._members[child.pid] = child
        return child.pid

    def end(self) -> None:
        """Kill every program with the processes it started, and remove the folders."""
        for pid, child in self._members.items():
            if child.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(pid, signal.SIGKILL)
        for child in self._members.values():
            child.wait()
        _end_orphans()
        for folder in self._folders:
            shutil.rmtree(folder, ignore_errors=True)


def _die_with(guard_pid: int) -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != guard_pid:  # it died before the signal was asked for
        os._exit(1)


def _end_orphans() -> None:
    """Kill what the programs started and left behind in groups of their own; such processes became ours."""
    own_children = f"/proc/self/task/{os.getpid()}/children"
    while True:
        try:
            with open(own_children) as listed:
                orphans = [int(pid) for pid in listed.read().split()]
        except FileNotFoundError:  # a kernel without the list
            return
        if not orphans:
            return
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def serve(channel: socket.socket) -> None:
    """Answer requests until the owner closes its end or dies."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    family = Family()
    owner = os.pidfd_open(os.getppid())
    lines = channel.makefile("rwb")
    try:
        while owner not in select.select([channel.fileno(), owner], [], [])[0]:
            line = lines.readline()
            if not line:
                return
            lines.write(json.dumps(family.answer(json.loads(line))).encode() + b"\n")
            lines.flush()
    except ConnectionError:
        return
    finally:
        family.end()


if __name__ == "__main__":
    serve(socket.socket(fileno=int(sys.argv[1])))
