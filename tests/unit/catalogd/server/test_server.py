"""The content server on a real TLS socket, asked by a real client."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import orjson
import pytest
from prometheus_client import CollectorRegistry
from yarl import URL

from catalogd.server.metrics import ServerMetrics
from catalogd.server.ports import Presence
from catalogd.server.routes import Endpoint
from catalogd.server.server import ContentServer, Limits
from catalogd.store import Snapshot, Store
from olmv1.settings import BindAddress
from olmv1.tls import profile_of, server_context
from tests.contents import LEDGER, a_ref, lines_of, store_content
from tests.registry_tls import Authority
from tests.waiting import eventually

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINES = lines_of(LEDGER)
WHOLE = b"".join(LINES)
BIG = b"\n---\n".join(
    b"{schema: olm.bundle, package: p%d, name: b%d, text: %s}" % (n % 7, n, b"x" * 5000) for n in range(500)
)
MODIFIED = "Sat, 21 Nov 2026 09:24:18 GMT"
PATH = "/catalogs/team/api/v1/all"
METAS = "/catalogs/team/api/v1/metas"


@dataclass
class KnownCatalogs:
    """The catalogs of a cluster, as a test wants them."""

    known: dict[str, Presence] = field(default_factory=lambda: {"team": Presence.AVAILABLE})

    def presence(self, name: str) -> Presence:
        return self.known.get(name, Presence.ABSENT)


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Site:
    """A server with its store, and a client that shows what came over the wire."""

    def __init__(self, store: Store, catalogs: KnownCatalogs, registry: CollectorRegistry) -> None:
        self.store, self.catalogs, self.registry = store, catalogs, registry
        self.port = 0
        self.trust = ssl.create_default_context()
        self.session: aiohttp.ClientSession

    async def ask(self, path: str, method: str = "GET", **headers: str) -> Answer:
        """One request exactly as written; `_` in header names is `-`, nothing is added or decoded."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        url = f"https://127.0.0.1:{self.port}{path}"
        async with self.session.request(
            method, URL(url, encoded=True), headers=sent, allow_redirects=False, ssl=self.trust
        ) as response:
            return Answer(response.status, response.headers, await response.read())


@pytest.fixture
async def site(tmp_path: Path) -> AsyncIterator[Site]:
    authority = Authority.create(tmp_path)
    tls = server_context(*authority.issue("catalogd.test"), profile_of("intermediate"))
    store, registry = Store(tmp_path / "cache"), CollectorRegistry()
    made = Site(store, KnownCatalogs(), registry)
    server = ContentServer(store, made.catalogs, frozenset(Endpoint), ServerMetrics(registry), Limits())
    skipped = {"Accept-Encoding", "Accept", "User-Agent"}
    async with (
        server.listening(BindAddress("127.0.0.1", 0), tls.context) as bound,
        aiohttp.ClientSession(skip_auto_headers=skipped, auto_decompress=False) as session,
    ):
        made.port, made.session = bound.port, session
        made.trust = ssl.create_default_context(cafile=authority.ca_file)
        yield made


@pytest.fixture
def team(site: Site) -> Snapshot:
    return store_content(site.store)


@pytest.fixture
def big(site: Site) -> Snapshot:
    return store_content(site.store, files=[BIG], ref=a_ref("ab"))


async def test_all_gives_the_stored_lines_with_their_validators(site: Site, team: Snapshot) -> None:
    answer = await site.ask(PATH)
    shown = ("Content-Type", "Content-Length", "Last-Modified", "ETag", "Cache-Control", "Accept-Ranges", "Vary")
    assert (answer.status, answer.body) == (200, WHOLE)
    assert {name: answer.headers.get(name) for name in shown} == {
        "Content-Type": "application/jsonl",
        "Content-Length": str(len(WHOLE)),
        "Last-Modified": MODIFIED,
        "ETag": f'"{team.manifest.content_digest}"',
        "Cache-Control": "no-cache",
        "Accept-Ranges": "bytes",
        "Vary": "Accept-Encoding",
    }


@pytest.mark.usefixtures("team")
async def test_all_ignores_query_parameters(site: Site) -> None:
    assert (await site.ask(f"{PATH}?a=%zz;b&schema=x")).body == WHOLE


@pytest.mark.parametrize(("accept", "suffix"), [("gzip", "-gzip"), ("gzip, deflate, br, zstd", "-zstd")])
async def test_all_sends_the_stored_packed_file(site: Site, big: Snapshot, accept: str, suffix: str) -> None:
    answer = await site.ask(PATH, Accept_Encoding=accept)
    unpacked = gzip.decompress(answer.body) if suffix == "-gzip" else zstd.decompress(answer.body)
    assert unpacked == b"".join(lines_of(BIG))
    assert answer.headers["Content-Encoding"] == suffix[1:]
    assert answer.headers["ETag"] == f'"{big.manifest.content_digest}{suffix}"'
    assert answer.headers["Content-Length"] == str(len(answer.body))
    assert "Accept-Ranges" not in answer.headers


@pytest.mark.usefixtures("team")
async def test_small_answers_are_not_packed(site: Site) -> None:
    answer = await site.ask(PATH, Accept_Encoding="gzip")
    assert answer.body == WHOLE
    assert "Content-Encoding" not in answer.headers


@pytest.mark.parametrize("path", [PATH, METAS, f"{METAS}?schema=olm.bundle"])
async def test_head_gives_the_headers_of_the_plain_answer(site: Site, big: Snapshot, path: str) -> None:
    answer = await site.ask(path, "HEAD", Accept_Encoding="zstd")
    assert (answer.status, answer.body) == (200, b"")
    assert answer.headers["Content-Length"] == str(big.data.size_bytes)
    assert answer.headers["ETag"] == f'"{big.manifest.content_digest}"'


@pytest.mark.parametrize(
    ("query", "lines"),
    [
        ("", LINES),
        ("?", LINES),
        ("?name=&schema=", LINES),
        ("?schema=olm.channel", LINES[1:2]),
        ("?package=ledger", LINES[1:3]),
        ("?name=ledger", LINES[:1]),
        ("?schema=olm.package&name=ledger", LINES[:1]),
        ("?schema=olm.bundle&package=ledger&name=ledger.v1.0.0", LINES[2:3]),
        ("?schema=olm.channel&name=ledger", []),
        ("?name=nope", []),
        ("?schema=olm.channel&schema=olm.bundle", LINES[1:2]),
        ("?schema=olm%2Echannel", LINES[1:2]),
    ],
)
@pytest.mark.usefixtures("team")
async def test_metas_selects_by_schema_package_and_name(site: Site, query: str, lines: list[bytes]) -> None:
    answer = await site.ask(f"{METAS}{query}")
    assert (answer.status, answer.body) == (200, b"".join(lines))
    assert answer.headers["Content-Length"] == str(len(answer.body))


@pytest.mark.parametrize("query", ["?version=1", "?schema=%zz", "?schema=a;b=c", "?schema=olm.bundle&Name=x"])
@pytest.mark.usefixtures("team")
async def test_metas_refuses_what_it_does_not_understand(site: Site, query: str) -> None:
    answer = await site.ask(f"{METAS}{query}")
    assert (answer.status, answer.body) == (400, b"400 Bad Request\n")


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
@pytest.mark.parametrize("query", ["?schema=olm.bundle&package=p3&name=b3", "?package=p3"])
async def test_metas_packs_what_it_selects(site: Site, big: Snapshot, encoding: str, query: str) -> None:
    plain = await site.ask(f"{METAS}{query}")
    packed = await site.ask(f"{METAS}{query}", Accept_Encoding=encoding)
    unpacked = gzip.decompress(packed.body) if encoding == "gzip" else zstd.decompress(packed.body)
    assert unpacked == plain.body
    assert len(packed.body) < len(plain.body)
    assert packed.headers["ETag"] == f'"{big.manifest.content_digest}-{encoding}"'


@pytest.mark.parametrize("path", [PATH, METAS, f"{METAS}?package=ledger"])
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_unchanged_content_is_not_sent_again(site: Site, team: Snapshot, path: str, method: str) -> None:
    tag = f'"{team.manifest.content_digest}-gzip"'
    answer = await site.ask(path, method, If_None_Match=tag)
    assert (answer.status, answer.body, answer.headers["ETag"]) == (304, b"", tag)
    assert (await site.ask(path, method, If_Modified_Since=MODIFIED)).status == 304


@pytest.mark.parametrize("path", [PATH, METAS])
@pytest.mark.usefixtures("team")
async def test_a_malformed_date_is_ignored(site: Site, path: str) -> None:
    answer = await site.ask(path, If_Modified_Since="yesterday")
    assert (answer.status, answer.body) == (200, WHOLE)


@pytest.mark.parametrize("path", [PATH, METAS])
@pytest.mark.usefixtures("team")
async def test_a_failed_precondition_has_no_body(site: Site, path: str) -> None:
    answer = await site.ask(path, If_Match='"x"')
    assert (answer.status, answer.body) == (412, b"")


async def test_ranges_are_parts_of_the_plain_answer(site: Site, big: Snapshot) -> None:
    size = big.data.size_bytes
    selected = (await site.ask(f"{METAS}?package=p3")).body
    answer = await site.ask(PATH, Range="bytes=10-19", Accept_Encoding="zstd")
    assert (answer.status, answer.body) == (206, b"".join(lines_of(BIG))[10:20])
    assert answer.headers["Content-Range"] == f"bytes 10-19/{size}"
    answer = await site.ask(f"{METAS}?package=p3", Range="bytes=5000-15000")
    assert (answer.status, answer.body) == (206, selected[5000:15001])
    assert (await site.ask(PATH, Range="bytes=10-19", If_Range='"old"')).status == 200


@pytest.mark.usefixtures("team")
async def test_a_range_behind_the_end_is_refused(site: Site) -> None:
    answer = await site.ask(PATH, Range=f"bytes={len(WHOLE)}-")
    assert (answer.status, answer.body) == (416, b"invalid range: failed to overlap\n")
    assert answer.headers["Content-Range"] == f"bytes */{len(WHOLE)}"


@pytest.mark.parametrize("path", [PATH, METAS, "/catalogs/nope/api/v1/all"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.usefixtures("team")
async def test_other_methods_are_told_which_are_allowed(site: Site, path: str, method: str) -> None:
    answer = await site.ask(path, method)
    assert (answer.status, answer.body, answer.headers["Allow"]) == (405, b"Method Not Allowed\n", "GET, HEAD")


@pytest.mark.parametrize("path", ["/", "/catalogs/team", f"{PATH}/", "/catalogs/team/api/v1/graphql"])
@pytest.mark.usefixtures("team")
async def test_other_paths_are_not_found(site: Site, path: str) -> None:
    answer = await site.ask(path)
    assert (answer.status, answer.body) == (404, b"404 page not found\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Vary"] == "Accept-Encoding"


async def test_unclean_paths_are_redirected_with_their_query(site: Site) -> None:
    answer = await site.ask("//catalogs/./team/api/v1/metas?name=a%20b")
    assert (answer.status, answer.headers["Location"]) == (307, f"{METAS}?name=a%20b")


@pytest.mark.usefixtures("team")
async def test_a_target_may_name_the_whole_url(site: Site) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, ssl=site.trust)
    target = f"https://127.0.0.1{METAS}?name=ledger"
    writer.write(f"GET {target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
    assert (await reader.read()).endswith(LINES[0])
    writer.close()


@pytest.mark.parametrize("name", ["UPPER", "a%2Fb", "%2e%2e", "a_b", "%00"])
async def test_names_that_no_catalog_can_have_are_refused(site: Site, name: str) -> None:
    answer = await site.ask(f"/catalogs/{name}/api/v1/all")
    assert answer.status == 400
    assert answer.body.startswith(b"invalid catalog name: a lowercase RFC 1123 subdomain must consist of")


@pytest.mark.parametrize("presence", [Presence.ABSENT, Presence.UNAVAILABLE])
@pytest.mark.usefixtures("team")
async def test_catalogs_that_are_not_offered_are_not_found_even_with_content(site: Site, presence: Presence) -> None:
    site.catalogs.known["team"] = presence
    answer = await site.ask(PATH)
    assert (answer.status, answer.body) == (404, b"404 Not Found\n")


@pytest.mark.parametrize("presence", [Presence.AVAILABLE, Presence.UNKNOWN])
async def test_a_catalog_that_is_not_unpacked_yet_asks_to_come_again(site: Site, presence: Presence) -> None:
    site.catalogs.known["team"] = presence
    answer = await site.ask(PATH)
    assert (answer.status, answer.body) == (503, b"503 Service Unavailable\n")
    assert answer.headers["Retry-After"] == "1"


@pytest.mark.usefixtures("team")
async def test_content_is_served_before_the_cluster_is_known(site: Site) -> None:
    site.catalogs.known["team"] = Presence.UNKNOWN
    assert (await site.ask(PATH)).body == WHOLE


async def test_errors_come_as_problem_json_when_asked_for(site: Site) -> None:
    answer = await site.ask("/catalogs/nope/api/v1/all", Accept="application/problem+json")
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert orjson.loads(answer.body) == {
        "type": "about:blank",
        "title": "Not Found",
        "status": 404,
        "detail": 'catalog "nope" does not exist or is set to Unavailable',
    }


async def test_a_reader_gets_the_whole_old_content_while_it_is_replaced(site: Site, big: Snapshot) -> None:
    url = f"https://127.0.0.1:{site.port}{PATH}"
    async with site.session.get(url, ssl=site.trust) as response:
        first = await response.content.read(1000)
        store_content(site.store)
        body = first + await response.content.read()
    assert body == b"".join(lines_of(BIG))
    assert (await site.ask(PATH)).body == WHOLE


@pytest.mark.usefixtures("team")
async def test_one_connection_carries_many_requests(site: Site) -> None:
    for _ in range(5):
        assert (await site.ask(PATH)).status == 200
    connector = site.session.connector
    assert isinstance(connector, aiohttp.TCPConnector)
    assert sum(map(len, connector._conns.values())) == 1


@pytest.mark.usefixtures("team")
async def test_requests_are_counted_by_path_method_and_code(site: Site) -> None:
    await site.ask(f"{METAS}?package=ledger")
    await site.ask("/nope", "PURGE")
    labels = {"path": "/catalogs/{catalog}/api/v1/metas", "method": "GET", "code": "200"}
    name = "catalogd_http_request_duration_seconds_count"
    await eventually(lambda: site.registry.get_sample_value(name, labels) == 1.0)
    assert site.registry.get_sample_value("catalogd_http_response_size_bytes_total", labels) == sum(
        map(len, LINES[1:3])
    )
    assert site.registry.get_sample_value(name, {"path": "other", "method": "OTHER", "code": "404"}) == 1.0
    assert site.registry.get_sample_value("catalogd_http_requests_in_flight") == 0.0


async def test_a_client_that_leaves_is_no_failure(site: Site, big: Snapshot) -> None:
    url = f"https://127.0.0.1:{site.port}{PATH}"
    async with site.session.get(url, ssl=site.trust) as response:
        await response.content.read(10)
        response.close()
    labels = {"path": "/catalogs/{catalog}/api/v1/all", "method": "GET", "code": "499"}
    name = "catalogd_http_request_duration_seconds_count"
    gone = {**labels, "code": "200"}
    await eventually(lambda: site.registry.get_sample_value(name, labels) or site.registry.get_sample_value(name, gone))
    assert (await site.ask(PATH)).status == 200
