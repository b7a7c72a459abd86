"""Waking catalogs whose image could not be fetched when the configuration of registries on disk changes.

Rule: clustercatalog.md 13.8.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from olmv1.errors import OlmError
from olmv1.images.puller import Puller
from olmv1.telemetry.logs import get_logger

__all__ = ["watch_configuration"]

_PERIOD_S = 10.0
_log = get_logger(__name__)


async def watch_configuration(puller: Puller, wake: Callable[[], None], *, period_s: float = _PERIOD_S) -> None:
    """Call `wake` after each change of registries, policy, logins or certificates; looks every `period_s` seconds."""
    seen = await _stamp(puller)
    while True:
        await asyncio.sleep(period_s)
        now = await _stamp(puller)
        if now != seen:
            _log.info("registry configuration changed")
            seen = now
            wake()


async def _stamp(puller: Puller) -> object:
    """What tells one state of the files from another; files that cannot be looked at are a state too."""
    try:
        return await puller.configuration_stamp()
    except (OlmError, OSError) as error:
        return str(error)
