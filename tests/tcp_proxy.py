"""A TCP proxy whose connections a test can cut, to inject faults between a client and a real server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

__all__ = ["TcpProxy", "tcp_proxy"]


class TcpProxy:
    """Forwards every connection to one port until told otherwise."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._writers: set[asyncio.StreamWriter] = set()
        self.is_down = False
        self.port = 0

    async def forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, both ways."""
        if self.is_down:
            writer.transport.abort()
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._target_port)
        pair = {writer, far_writer}
        self._writers |= pair
        try:
            await asyncio.gather(_copy(reader, far_writer), _copy(far_reader, writer))
        finally:
            self._writers -= pair
            for end in pair:
                end.transport.abort()

    def cut(self, *, stay_down: bool = False) -> None:
        """Abort every connection; with `stay_down` new ones too, until `heal`."""
        self.is_down = stay_down
        for writer in self._writers:
            writer.transport.abort()

    def heal(self) -> None:
        """Let new connections through again."""
        self.is_down = False


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.transport.abort()


@contextlib.asynccontextmanager
async def tcp_proxy(target_port: int) -> AsyncIterator[TcpProxy]:
    """A proxy on a free port in front of `target_port` of this machine."""
    proxy = TcpProxy(target_port)
    server = await asyncio.start_server(proxy.forward, "127.0.0.1", 0)
    proxy.port = server.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        server.close()
        proxy.cut(stay_down=True)
        await server.wait_closed()
