"""What the client does when the API server or the network misbehaves; its verbs are tested in tests/api."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import orjson
import pytest
from prometheus_client import CollectorRegistry
from structlog.testing import capture_logs

from olmv1.errors import TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotLeading, ServerError, TooManyRequests, Unreachable
from olmv1.kube.resources import CONFIG_MAPS, NAMESPACES
from olmv1.kube.transport import Request
from tests.fake_apiserver import FakeApiServer, Reply, Silence, Stream, status_of, write_kubeconfig

OBJECT: dict[str, Any] = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "till", "namespace": "shop"},
}
BUSY = Reply(status_of(429, "TooManyRequests", "slow down"), 429, {"Retry-After": "0"})
DOWN = Reply(status_of(503, "ServiceUnavailable", "starting"), 503)


@pytest.mark.parametrize("fault", [pytest.param(BUSY, id="429"), pytest.param(DOWN, id="503"), Silence()])
async def test_get_is_tried_again_after_a_fault(
    server: FakeApiServer, client: KubeClient, fault: Reply | Silence
) -> None:
    server.play(fault, Reply(OBJECT))
    assert await client.get(CONFIG_MAPS, "till", "shop") == OBJECT
    assert len(server.requests) == 2


async def test_create_is_tried_again_only_when_it_was_not_carried_out(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(BUSY, Silence())
    with pytest.raises(Unreachable) as problem:
        await client.create(CONFIG_MAPS, OBJECT)
    assert str(problem.value) == ("POST /api/v1/namespaces/shop/configmaps: the Kubernetes API closed the connection")
    assert [request.method for request in server.requests] == ["POST", "POST"]


async def test_a_long_retry_after_is_left_to_the_caller(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(status_of(429, "TooManyRequests", "slow down"), 429, {"Retry-After": "60"}))
    with pytest.raises(TooManyRequests) as problem:
        await client.get(NAMESPACES, "shop")
    assert (problem.value.retry_after_s, len(server.requests)) == (60.0, 1)


async def test_a_plain_server_error_is_not_tried_again(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(b"boom", 500))
    with pytest.raises(ServerError) as problem:
        await client.get(NAMESPACES, "shop")
    assert str(problem.value) == "GET /api/v1/namespaces/shop: expected a Kubernetes answer, found HTTP 500: boom"


async def test_requests_carry_identity_and_agent(server: FakeApiServer, client: KubeClient) -> None:
    server.play(afterwards=Reply(OBJECT))
    await client.get(CONFIG_MAPS, "till", "shop")
    await client.as_service_account("shop", "installer").get(CONFIG_MAPS, "till", "shop")
    names = ("Authorization", "User-Agent", "Impersonate-User", "Accept-Encoding")
    seen = [[request.headers.get(name) for name in names] for request in server.requests]
    assert seen == [
        ["Bearer secret-token", "test/1", None, "identity"],
        ["Bearer secret-token", "test/1", "system:serviceaccount:shop:installer", "identity"],
    ]


async def test_apply_sends_json_as_an_apply_patch(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(OBJECT))
    before = json.dumps(OBJECT)
    await client.apply(CONFIG_MAPS, OBJECT, field_manager="olm", force=True, dry_run=True)
    (request,) = server.requests
    query = {"fieldManager": "olm", "force": "true", "fieldValidation": "Warn", "dryRun": "All"}
    assert (request.method, request.path) == ("PATCH", "/api/v1/namespaces/shop/configmaps/till")
    assert (request.query, request.headers["Content-Type"]) == (query, "application/apply-patch+yaml")
    assert (orjson.loads(request.body), json.dumps(OBJECT)) == (OBJECT, before)


@pytest.mark.parametrize(
    ("patch", "content_type"),
    [
        pytest.param({"data": {}}, "application/merge-patch+json", id="merge"),
        pytest.param([{"op": "remove", "path": "/data"}], "application/json-patch+json", id="json"),
    ],
)
async def test_patch_chooses_its_type_by_the_value(
    server: FakeApiServer, client: KubeClient, patch: Any, content_type: str
) -> None:
    server.play(Reply(OBJECT))
    await client.patch(CONFIG_MAPS, "till", patch, namespace="shop")
    assert (server.requests[0].headers["Content-Type"], orjson.loads(server.requests[0].body)) == (content_type, patch)


async def test_list_follows_pages_and_names_the_kind_of_items(server: FakeApiServer, client: KubeClient) -> None:
    def page(name: str, token: str) -> Reply:
        return Reply({"metadata": {"resourceVersion": "7", "continue": token}, "items": [{"metadata": {"name": name}}]})

    server.play(page("a", "next"), page("b", ""))
    listing = await client.list(NAMESPACES, label_selector="app=x")
    assert listing.items == tuple(
        {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}} for name in ("a", "b")
    )
    assert (listing.resource_version, [request.query for request in server.requests]) == (
        "7",
        [{"labelSelector": "app=x", "limit": "250"}, {"labelSelector": "app=x", "limit": "500", "continue": "next"}],
    )


async def test_raw_keeps_the_query_and_refuses_more_than_its_limit(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(b"12345"), Reply(b"12345"))
    assert await client.raw("/proxy/metas?package=a%2Fb&package=") == b"12345"
    with pytest.raises(ApiError, match=r"^GET /proxy: expected at most 4 bytes, found more$"):
        await client.raw("/proxy", limit_bytes=4)
    assert server.requests[0].query == {"package": "a/b"}


async def test_fetch_answers_304_to_a_validator(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(b"", 304, {"ETag": '"x"'}))
    answer = await client.fetch("/api", headers={"If-None-Match": '"x"'})
    assert (answer.status, answer.headers["ETag"], answer.body) == (304, '"x"', b"")


async def test_an_answer_that_breaks_off_is_unreachable(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream(({"a": 1},), "cut"), Reply(OBJECT))
    assert await client.get(CONFIG_MAPS, "till", "shop") == OBJECT


async def test_warnings_of_the_server_go_to_the_debug_log(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(OBJECT, headers={"Warning": '299 - "old version"'}))
    with capture_logs() as lines:
        await client.get(CONFIG_MAPS, "till", "shop")
    assert [(line["event"], line["log_level"], line["warning"]) for line in lines] == [
        ("api server warning", "debug", '299 - "old version"')
    ]


async def test_requests_are_counted_by_code(server: FakeApiServer) -> None:
    registry = CollectorRegistry()
    server.play(Silence(), BUSY, Reply(OBJECT))
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1", registry=registry) as client:
        await client.apply(CONFIG_MAPS, OBJECT, field_manager="olm")
    (family,) = [family for family in registry.collect() if family.name == "rest_client_requests"]
    counts = {s.labels["code"]: s.value for s in family.samples if s.name == "rest_client_requests_total"}
    assert counts == {"429": 1.0, "<error>": 1.0, "200": 1.0}


async def test_a_refused_connection_is_told_without_addresses(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "refused", "http://127.0.0.1:1")
    async with await KubeClient.connect(str(tmp_path / "refused"), user_agent="test/1") as client:
        with pytest.raises(Unreachable) as problem:
            async with client.open(Request("GET", "/readyz")):
                pass
    assert str(problem.value) == "GET /readyz: the Kubernetes API is not reachable: connection refused"
    assert problem.value.details == {"address": "http://127.0.0.1:1"}


async def test_a_server_without_tls_is_told_as_such(server: FakeApiServer, tmp_path: Path) -> None:
    address = json.loads(Path(server.kubeconfig).read_text())["clusters"][0]["cluster"]["server"]
    write_kubeconfig(tmp_path / "tls", address.replace("http:", "https:"))
    async with await KubeClient.connect(str(tmp_path / "tls"), user_agent="test/1") as client:
        with pytest.raises(Unreachable, match="not reachable: TLS handshake failed: the server does not speak TLS"):
            async with client.open(Request("GET", "/readyz")):
                pass


async def test_a_client_without_patience_gives_up_at_once(tmp_path: Path) -> None:
    write_kubeconfig(tmp_path / "refused", "http://127.0.0.1:1")
    registry = CollectorRegistry()
    async with await KubeClient.connect(
        str(tmp_path / "refused"), user_agent="test/1", registry=registry, patience_s=0
    ) as client:
        with pytest.raises(Unreachable):
            await client.get(CONFIG_MAPS, "till", "shop")
    labels = {"code": "<error>", "method": "GET", "host": "127.0.0.1:1"}
    assert registry.get_sample_value("rest_client_requests_total", labels) == 1.0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "cannot load the Kubernetes configuration: expected a kubeconfig, found no file ", id="no"),
        pytest.param("{}", "cannot load the Kubernetes configuration: Invalid kube-config file", id="empty"),
        pytest.param("{a: [", "cannot load the Kubernetes configuration: {path} is not a kubeconfig", id="broken"),
        pytest.param("just text", "cannot load the Kubernetes configuration: {path} is not a kubeconfig", id="text"),
    ],
)
async def test_connect_says_what_is_wrong_with_a_kubeconfig(tmp_path: Path, content: str | None, message: str) -> None:
    path = tmp_path / "config"
    if content is not None:
        path.write_text(content)
    with pytest.raises(TerminalError) as problem:
        await KubeClient.connect(str(path), user_agent="test/1")
    assert str(problem.value).startswith(message.replace("{path}", str(path)))


@pytest.mark.parametrize(("status", "is_created"), [(200, False), (201, True)])
async def test_apply_reporting_says_whether_the_object_is_new(
    server: FakeApiServer, client: KubeClient, status: int, is_created: bool
) -> None:
    server.play(Reply(OBJECT, status))
    assert await client.apply_reporting(CONFIG_MAPS, OBJECT, field_manager="olm") == (OBJECT, is_created)
    assert server.requests[0].query == {"fieldManager": "olm", "force": "false", "fieldValidation": "Warn"}


async def test_a_guarded_client_sends_no_write_while_the_guard_says_no(
    server: FakeApiServer, client: KubeClient
) -> None:
    leading = [False]
    guarded = client.guarded_by(lambda: leading[0])
    server.play(afterwards=Reply(OBJECT))
    with pytest.raises(NotLeading) as problem:
        await guarded.as_service_account("shop", "installer").replace_status(CONFIG_MAPS, OBJECT)
    await guarded.get(CONFIG_MAPS, "till", "shop")
    leading[0] = True
    await guarded.create(CONFIG_MAPS, OBJECT)
    request = "PUT /api/v1/namespaces/shop/configmaps/till/status"
    assert str(problem.value) == f"{request}: not sent, this replica is not the leader"
    assert [request.method for request in server.requests] == ["GET", "POST"]


async def test_a_guarded_client_gives_up_between_two_tries(server: FakeApiServer, client: KubeClient) -> None:
    answers = iter([True, False])
    server.play(BUSY)
    with pytest.raises(NotLeading):
        await client.guarded_by(lambda: next(answers)).delete(CONFIG_MAPS, "till", "shop")
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [b"<html>", b"[]"])
async def test_an_answer_that_is_no_object_is_an_error(server: FakeApiServer, client: KubeClient, body: bytes) -> None:
    server.play(Reply(body))
    with pytest.raises(ApiError) as problem:
        await client.list(CONFIG_MAPS, "shop")
    wanted = f"GET /api/v1/namespaces/shop/configmaps: expected a Kubernetes object, found {len(body)} other bytes"
    assert str(problem.value) == wanted
