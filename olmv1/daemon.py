"""The frame of a daemon's `main`: settings, logs, event loop, signals, exit code.

Both components call `run_daemon` and nothing else; what they do is their `wiring`.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

from olmv1.errors import OlmError
from olmv1.settings import CommonSettings, settings_or_exit
from olmv1.settings.load import version_text
from olmv1.telemetry.logs import LogLevel, configure_logs, get_logger, level_of_verbosity

__all__ = ["run_daemon"]

AnySettings = TypeVar("AnySettings", bound=CommonSettings)

# A pass of the collector over all that an idle cache holds costs more than the few cycles it would find.
_GC_THRESHOLDS = (20_000, 20, 20)

_log = get_logger(__name__)


def run_daemon(
    model: type[AnySettings],
    program: str,
    run: Callable[[AnySettings], Awaitable[None]],
    *,
    version: Callable[[], str] = version_text,
) -> None:
    """Run `run(settings)` until SIGTERM or SIGINT, and end the process: 0 when it was asked to stop, else 1.

    `version` gives what the subcommand of this name prints.
    """
    settings = settings_or_exit(model, program, version=version)
    level = configure_logs(level_of_verbosity(settings.v))
    import uvloop  # noqa: PLC0415 - `--help` does not need an event loop

    # Modules and models live as long as the process: the collector need never look at them.
    gc.enable()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    sys.exit(uvloop.run(_exit_code(settings, run, level)))


async def _exit_code(settings: AnySettings, run: Callable[[AnySettings], Awaitable[None]], level: LogLevel) -> int:
    _log.info("feature gate status", **settings.feature_gates.states)
    for notice in settings.notices():
        _log.warning("setting without effect", notice=notice)
    task = asyncio.current_task()
    assert task is not None
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    _let_level_change(level, level_of_verbosity(settings.v))
    try:
        await run(settings)
    except asyncio.CancelledError:
        _log.info("stopped")
        return 0
    except OlmError as error:
        _log.error("cannot go on", error=str(error))
    except BaseExceptionGroup as group:
        known, bugs = group.split(OlmError)
        if bugs is not None or known is None:
            raise
        _log.error("cannot go on", error="; ".join(sorted(str(error) for error in _leaves(known))))
    return 1


def _let_level_change(level: LogLevel, usual: int) -> None:
    """SIGUSR1 makes the log talk of every step, SIGUSR2 as it was told at the start."""

    def change(number: int) -> None:
        level.change(number)
        _log.info("log level changed", to=logging.getLevelName(number))

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, change, logging.DEBUG)
    loop.add_signal_handler(signal.SIGUSR2, change, usual)


def _leaves(group: BaseExceptionGroup[OlmError]) -> list[OlmError]:
    """The errors themselves, however deep the groups are."""
    found: list[OlmError] = []
    for error in group.exceptions:
        found += _leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found
