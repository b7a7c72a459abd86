from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from olmv1.errors import RetryableError
from operator_controller.catalogs import CatalogClient

PACKAGE = b'{"name":"lantern","schema":"olm.package"}\n'
BUNDLE = b'{"name":"b","package":"lantern","schema":"olm.bundle"}\n'
OTHER = b'{"name":"c","package":"other","schema":"olm.bundle"}\n'


@dataclass
class Server:
    """A stand-in for catalogd whose answers a test chooses; a real one is used in `tests/api`."""

    answer: Callable[[web.Request], web.Response]
    url: str = ""
    paths: list[str] = field(default_factory=list)


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    made = Server(lambda _: web.Response(status=500))

    async def handle(request: web.Request) -> web.Response:
        made.paths.append(request.path_qs)
        return made.answer(request)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}/catalogs/lights"
    yield made
    await runner.cleanup()


@pytest.fixture
async def client() -> AsyncIterator[CatalogClient]:
    made = CatalogClient(ssl.create_default_context, "test")
    yield made
    await made.close()


def metas(request: web.Request) -> web.Response:
    body = PACKAGE if request.query.get("schema") == "olm.package" else BUNDLE
    return web.Response(body=body, headers={"ETag": '"1"'})


async def test_fetch_asks_for_one_package_only(server: Server, client: CatalogClient) -> None:
    server.answer = metas
    found = await client.fetch(server.url, "lantern")
    assert (found.lines, found.etag) == ((PACKAGE.strip(), BUNDLE.strip()), '"1"')
    assert server.paths == [
        "/catalogs/lights/api/v1/metas?schema=olm.package&name=lantern",
        "/catalogs/lights/api/v1/metas?package=lantern",
    ]


async def test_fetch_reads_the_whole_catalog_where_metas_is_off(server: Server, client: CatalogClient) -> None:
    def answer(request: web.Request) -> web.Response:
        if request.path.endswith("/metas"):
            return web.Response(status=404, text="404 page not found\n")
        return web.Response(body=PACKAGE + OTHER + BUNDLE)

    server.answer = answer
    assert (await client.fetch(server.url, "lantern")).lines == (PACKAGE.strip(), BUNDLE.strip())


@pytest.mark.parametrize(
    ("response", "message", "wait"),
    [
        pytest.param(
            {"status": 404, "text": "404 Not Found\n"},
            "error: received unexpected response status code 404",
            None,
            id="unknown catalog",
        ),
        pytest.param(
            {"status": 503, "headers": {"Retry-After": "7"}},
            "error: received unexpected response status code 503",
            7.0,
            id="not unpacked yet",
        ),
    ],
)
async def test_fetch_says_what_was_answered(
    server: Server, client: CatalogClient, response: dict[str, object], message: str, wait: float | None
) -> None:
    server.answer = lambda _: web.Response(**response)  # type: ignore[arg-type]  # a row of the table
    with pytest.raises(RetryableError) as raised:
        await client.fetch(server.url, "lantern")
    assert (str(raised.value), raised.value.retry_after_s) == (message, wait)


async def test_fetch_reads_again_when_the_catalog_changes_between_its_requests(
    server: Server, client: CatalogClient
) -> None:
    etags = iter(['"1"', '"2"', '"2"', '"2"'])
    server.answer = lambda request: web.Response(body=metas(request).body, headers={"ETag": next(etags)})
    assert (await client.fetch(server.url, "lantern")).etag == '"2"'


async def test_fetch_gives_up_after_a_few_tries_at_a_server_that_is_away(client: CatalogClient) -> None:
    with pytest.raises(RetryableError, match="^error performing request: "):
        await client.fetch("http://127.0.0.1:9/catalogs/lights", "lantern")
