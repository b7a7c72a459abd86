"""TLS in front of a plain server on loopback: the registry of the tools speaks HTTP only.

Run as a program: `python -m devcluster.tls_terminator PORT TARGET_PORT CERT KEY`. It knows no protocol.
"""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import sys

_BLOCK_BYTES = 256 * 1024
_HOST = "127.0.0.1"


async def serve(port: int, target_port: int, context: ssl.SSLContext) -> None:
    """Accept TLS on `port` and pass every connection on to `target_port`, for ever."""

    async def handle(client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        try:
            upstream, to_upstream = await asyncio.open_connection(_HOST, target_port)
        except OSError:
            to_client.close()
            return
        await _both_ways((client, to_upstream), (upstream, to_client))

    server = await asyncio.start_server(handle, _HOST, port, ssl=context)
    async with server:
        await server.serve_forever()


async def _both_ways(*directions: tuple[asyncio.StreamReader, asyncio.StreamWriter]) -> None:
    """Copy in each direction until one side ends, then close both: HTTP needs no half-closed connection."""
    copies = [asyncio.ensure_future(_copy(reader, writer)) for reader, writer in directions]
    try:
        await asyncio.wait(copies, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for copy in copies:
            copy.cancel()
        await asyncio.gather(*copies, return_exceptions=True)
        for _, writer in directions:
            writer.close()
        for _, writer in directions:
            with contextlib.suppress(OSError, ssl.SSLError):
                await writer.wait_closed()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError, ssl.SSLError):
        while block := await reader.read(_BLOCK_BYTES):
            writer.write(block)
            await writer.drain()


def main(arguments: list[str]) -> None:
    """Serve as told on the command line."""
    port, target_port, certificate, key = arguments
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.load_cert_chain(certificate, key)
    asyncio.run(serve(int(port), int(target_port), context))


if __name__ == "__main__":
    main(sys.argv[1:])
