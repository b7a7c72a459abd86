"""The floor of serving: aiohttp on uvloop that answers every request with constant bytes, over the same TLS.

Run as a program: `python -m benchmarks.constant_server PORT CERT KEY`; `GET /<size>` gives that many bytes.
"""

from __future__ import annotations

import asyncio
import ssl
import sys
from functools import cache

import uvloop
from aiohttp import web

__all__ = ["main"]

_PIECE_BYTES = 1 << 18


@cache
def _content(size: int) -> bytes:
    return b"x" * size


async def _handle(request: web.BaseRequest) -> web.StreamResponse:
    content = _content(int(request.path[1:]))
    if len(content) <= _PIECE_BYTES:
        return web.Response(body=content)
    response = web.StreamResponse()
    response.content_length = len(content)
    await response.prepare(request)
    for start in range(0, len(content), _PIECE_BYTES):
        await response.write(content[start : start + _PIECE_BYTES])
    await response.write_eof()
    return response


async def _serve(port: int, context: ssl.SSLContext) -> None:
    runner = web.ServerRunner(web.Server(_handle, access_log=None))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port, ssl_context=context).start()
    await asyncio.Event().wait()


def main(arguments: list[str]) -> None:
    """Serve as told on the command line, for ever."""
    port, certificate, key = arguments
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    uvloop.run(_serve(int(port), context))


if __name__ == "__main__":
    main(sys.argv[1:])
