"""Listening for HTTP requests: a server that starts and ends cleanly.

Used by the probes and the metrics server; knows no route.
"""

from __future__ import annotations

import os
import ssl
from types import TracebackType

from aiohttp import web

from olmv1.errors import TerminalError
from olmv1.telemetry.addresses import BindAddress

__all__ = ["BindAddress", "Server"]

# Requests under way get this long at the end; a pod has ten seconds for everything.
_SHUTDOWN_S = 2.0


class Server:
    """One HTTP or HTTPS listener; `async with` holds it open."""

    def __init__(self, app: web.Application, address: BindAddress, context: ssl.SSLContext | None = None) -> None:
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=_SHUTDOWN_S)
        self._address = address
        self._context = context

    @property
    def port(self) -> int:
        """The port that is listened on; known once the server is open."""
        return int(self._runner.addresses[0][1])

    async def __aenter__(self) -> Server:
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._address.host, self._address.port, ssl_context=self._context)
        try:
            await site.start()
        except OSError as problem:
            await self._runner.cleanup()
            where = f"{self._address.host or ''}:{self._address.port}"
            raise TerminalError(f"cannot listen on {where}: {_phrase(problem)}") from problem
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._runner.cleanup()


def _phrase(problem: OSError) -> str:
    return os.strerror(problem.errno) if problem.errno else "the host is not an address of this machine"
