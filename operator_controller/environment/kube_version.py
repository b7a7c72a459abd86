"""The version of the control plane: an upgrade of it changes no object, so it has to be looked for.

What a bundle requires of Kubernetes holds its extension back until the version is there. Rule: decision 5.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from olmv1.errors import OlmError
from olmv1.kube.discovery import Discovery
from olmv1.telemetry.logs import get_logger

__all__ = ["KubeVersionWatch"]

_LOOK_S = 600.0

log = get_logger(__name__)


class KubeVersionWatch:
    """Calls `changed` when the API server tells another version than before; looks every `look_s` seconds."""

    def __init__(self, discovery: Discovery, changed: Callable[[], None], look_s: float = _LOOK_S) -> None:
        self._discovery = discovery
        self._changed = changed
        self._look_s = look_s

    async def run(self) -> None:
        """Look until cancelled; an API server that cannot be asked has not changed."""
        known = ""
        while True:
            try:
                version = (await self._discovery.served()).kube_version or known
            except OlmError:
                version = known
            if known and version != known:
                log.info("the cluster was upgraded", version=version, before=known)
                self._changed()
            known = version
            await asyncio.sleep(self._look_s)
