"""The frame of `main`, in processes of its own: signals and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROGRAM = """
import asyncio, gc, sys
gc.disable()
from olmv1.daemon import run_daemon
from olmv1.errors import RetryableError
from olmv1.settings import CommonSettings
from olmv1.telemetry.logs import get_logger

async def run(settings):
    match settings.system_namespace:
        case "fail":
            raise RetryableError("the volume is full")
        case "group":
            async with asyncio.TaskGroup() as group:
                group.create_task(fail("a"))
                async with asyncio.TaskGroup() as inner:
                    inner.create_task(fail("b"))
        case "bug":
            raise KeyError("x")
        case "memory":
            raise RetryableError(f"{gc.isenabled()} {gc.get_freeze_count() > 10_000} {gc.get_threshold()}")
        case "talk":
            log = get_logger("room")
            print("running", flush=True)
            while True:
                log.debug("a step")
                await asyncio.sleep(0.01)
    print("running", flush=True)
    await asyncio.Event().wait()

async def fail(text):
    raise RetryableError(text)

run_daemon(CommonSettings, "example", run)
"""


def start(*arguments: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", PROGRAM, *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_signals_change_the_level_of_the_log() -> None:
    with start("--system-namespace=talk") as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "running\n"
        messages = (json.loads(line)["msg"] for line in process.stderr)
        assert next(messages) == "feature gate status"
        process.send_signal(signal.SIGUSR1)
        assert (next(messages), next(messages)) == ("log level changed", "a step")
        process.send_signal(signal.SIGUSR2)
        assert next(message for message in messages if message != "a step") == "log level changed"
        process.send_signal(signal.SIGTERM)
        assert next(messages) == "stopped"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_daemon_ends_with_0_when_it_is_asked_to(number: signal.Signals) -> None:
    with start() as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(number)
        _, log = process.communicate(timeout=20)
    assert process.returncode == 0
    assert '"msg":"stopped"' in log


@pytest.mark.parametrize(
    ("namespace", "error"), [("fail", "the volume is full"), ("group", "a; b")], ids=["error", "errors of a group"]
)
def test_daemon_ends_with_1_and_the_reason_when_it_cannot_go_on(namespace: str, error: str) -> None:
    with start(f"--system-namespace={namespace}") as process:
        _, log = process.communicate(timeout=20)
    assert process.returncode == 1
    assert f'"error":"{error}"' in log
    assert "Traceback" not in log


def test_daemon_shows_the_traceback_of_a_bug() -> None:
    with start("--system-namespace=bug") as process:
        _, log = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "KeyError: 'x'" in log


def test_daemon_names_what_has_no_effect() -> None:
    with start("--feature-gates=AllAlpha=true", "--system-namespace=fail") as process:
        _, log = process.communicate(timeout=20)
    assert "feature gate AllAlpha=true has no effect" in log


def test_daemon_collects_garbage_but_leaves_what_importing_made_alone() -> None:
    with start("--system-namespace=memory") as process:
        _, log = process.communicate(timeout=20)
    assert '"error":"True True (20000, 20, 20)"' in log
