"""Listening for HTTP requests: bind addresses as flags write them, and a server that starts and ends cleanly.

Used by the probes and the metrics server; knows no route.
"""

from __future__ import annotations

import os
import ssl
from dataclasses import dataclass
from types import TracebackType

from aiohttp import web

from olmv1.errors import TerminalError

__all__ = ["BindAddress", "Server"]

# Requests under way get this long at the end; a pod has ten seconds for everything.
_SHUTDOWN_S = 2.0


@dataclass(frozen=True, slots=True)
class BindAddress:
    """Where to listen; `host` is `None` for all interfaces, `port` 0 for any free one."""

    host: str | None
    port: int

    @classmethod
    def parse(cls, text: str) -> BindAddress | None:
        """The address of `:8081`, `127.0.0.1:0` or `[::1]:8081`; `None` (off) for an empty text and for `0`.

        Raises:
            ValueError: there is no port, or it is no number from 0 to 65535.
        """
        if text in ("", "0"):
            return None
        host, colon, port = text.rpartition(":")
        if not colon or not port.isdecimal() or int(port) > 65535:
            raise ValueError(f'invalid bind address "{text}": expected [host]:port, "" or "0"')
        return cls(host.strip("[]") or None, int(port))


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
