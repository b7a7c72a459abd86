"""What bounds a connection: time, idleness, the number of downloads."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path

import aiohttp
from prometheus_client import CollectorRegistry

from catalogd.server.metrics import ServerMetrics
from catalogd.server.ports import Presence
from catalogd.server.routes import Endpoint
from catalogd.server.server import ContentServer, Limits
from catalogd.store import Store
from olmv1.settings import BindAddress
from tests.contents import store_content

HUGE = b"".join(b'{"schema":"x","name":"b%d","text":"%s"}\n' % (n, b"x" * 4_000_000) for n in range(6))
PATH = "/catalogs/team/api/v1/all"
METAS = "/catalogs/team/api/v1/metas"


class EveryCatalog:
    """A cluster that has whatever catalog is asked for."""

    def presence(self, name: str) -> Presence:  # noqa: ARG002
        return Presence.AVAILABLE


async def test_downloads_beyond_the_limit_ask_to_come_again(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store_content(store, files=[HUGE])
    metrics = ServerMetrics(CollectorRegistry())
    server = ContentServer(store, EveryCatalog(), frozenset(Endpoint), metrics, Limits(downloads=1))
    async with server.listening(BindAddress("127.0.0.1", 0), None) as bound, aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{bound.port}"
        plain = {"Accept-Encoding": "identity"}
        async with session.get(f"{url}{PATH}", headers=plain) as slow:
            await slow.content.read(10)
            async with session.get(f"{url}{PATH}", headers=plain) as refused:
                assert (refused.status, refused.headers["Retry-After"]) == (503, "1")
            async with session.get(f"{url}{METAS}?name=nope") as small:
                assert small.status == 200
            await slow.read()
        async with session.get(f"{url}{PATH}", headers=plain) as again:
            assert again.status == 200


async def test_an_answer_that_takes_too_long_is_cut(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store_content(store, files=[HUGE])
    metrics = ServerMetrics(CollectorRegistry())
    server = ContentServer(store, EveryCatalog(), frozenset(Endpoint), metrics, Limits(write_s=0.2))
    async with server.listening(BindAddress("127.0.0.1", 0), None) as bound:
        reader, writer = await asyncio.open_connection("127.0.0.1", bound.port, limit=1024)
        writer.write(f"GET {PATH} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await asyncio.sleep(0.6)  # the client does not read: that is the subject
        received = 0
        with suppress(ConnectionResetError):
            while chunk := await reader.read(1 << 20):
                received += len(chunk)
        writer.close()
    snapshot = store.snapshot("team")
    assert snapshot is not None
    assert received < snapshot.data.size_bytes


async def test_a_connection_without_a_request_is_closed(tmp_path: Path) -> None:
    metrics = ServerMetrics(CollectorRegistry())
    server = ContentServer(Store(tmp_path), EveryCatalog(), frozenset(Endpoint), metrics, Limits(idle_s=0.1))
    async with server.listening(BindAddress("127.0.0.1", 0), None) as bound:
        reader, writer = await asyncio.open_connection("127.0.0.1", bound.port)
        writer.write(b"GET /catalogs/team/api/v1/all HTTP/1.1\r\nHost: x\r\n")
        async with asyncio.timeout(10):
            assert await reader.read() == b""
        writer.close()
