"""Discovery of servers and moments that a healthy, current API server does not show; the rest is in tests/api."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import Forbidden
from olmv1.kube.resources import CLUSTER_ROLES, DEPLOYMENTS, SECRETS, Resource
from tests.fake_apiserver import FakeApiServer, Reply, status_of

DOWN = Reply(status_of(503, "ServiceUnavailable", "the aggregated API is down"), 503, {"Retry-After": "60"})


def a_resource(name: str, kind: str, *, namespaced: bool = True) -> dict[str, Any]:
    return {"name": name, "kind": kind, "namespaced": namespaced}


def a_group_list(*group_versions: str) -> Reply:
    groups = [{"versions": [{"groupVersion": group_version}]} for group_version in group_versions]
    return Reply({"kind": "APIGroupList", "groups": groups})


def aggregated(group: str, *resources: dict[str, Any], etag: str = "") -> Reply:
    version = {"version": "v1", "resources": list(resources)}
    item = {"metadata": {"name": group}, "versions": [version]}
    return Reply({"kind": "APIGroupDiscoveryList", "items": [item]}, headers={"ETag": etag} if etag else {})


def an_entry(name: str, kind: str | None) -> dict[str, Any]:
    return {"resource": name, "scope": "Namespaced", **({"responseKind": {"kind": kind}} if kind else {})}


async def test_a_server_without_aggregated_discovery_is_asked_group_by_group(
    server: FakeApiServer, client: KubeClient
) -> None:
    core = [a_resource("secrets", "Secret"), a_resource("secrets/status", "Other")]
    server.play(
        Reply({"kind": "APIVersions", "versions": ["v1"]}),
        Reply({"groupVersion": "v1", "resources": core}),
        a_group_list("metrics.example.com/v1", "rbac.authorization.k8s.io/v1"),
        DOWN,
        Reply(
            {
                "groupVersion": "rbac.authorization.k8s.io/v1",
                "resources": [a_resource("clusterroles", "ClusterRole", namespaced=False)],
            }
        ),
    )
    discovery = Discovery(client)
    assert await discovery.resource_for("v1", "Secret") == SECRETS
    assert await discovery.resource_for(CLUSTER_ROLES.api_version, "ClusterRole") == CLUSTER_ROLES
    assert [request.path for request in server.requests] == [
        "/api",
        "/api/v1",
        "/apis",
        "/apis/metrics.example.com/v1",
        "/apis/rbac.authorization.k8s.io/v1",
    ]


async def test_what_has_not_changed_is_not_read_again(server: FakeApiServer, client: KubeClient) -> None:
    server.play(aggregated("", an_entry("secrets", "Secret"), etag='"one"'), aggregated("apps", etag='"two"'))
    server.play(Reply(b"", 304), aggregated("apps", an_entry("deployments", "Deployment"), an_entry("x", None)))
    discovery = Discovery(client)
    await discovery.resource_for("v1", "Secret")
    assert await discovery.resource_for("apps/v1", "Deployment") == DEPLOYMENTS
    assert await discovery.resource_for("v1", "Secret") == SECRETS
    asked = [request.headers.get("If-None-Match") for request in server.requests]
    assert asked == [None, None, '"one"', '"two"']


async def test_many_who_ask_at_once_cost_one_reading(server: FakeApiServer, client: KubeClient) -> None:
    server.play(aggregated(""), aggregated("apps", an_entry("deployments", "Deployment")))
    discovery = Discovery(client)
    found = await asyncio.gather(*(discovery.resource_for("apps/v1", "Deployment") for _ in range(20)))
    assert (set(found), len(server.requests)) == ({DEPLOYMENTS}, 2)


async def test_a_failed_reading_is_done_again_by_the_next_who_waits(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(status_of(403, "Forbidden", "no"), 403))
    server.play(aggregated(""), aggregated("apps", an_entry("deployments", "Deployment")))
    discovery = Discovery(client)
    questions = (discovery.resource_for("apps/v1", "Deployment") for _ in range(2))
    first, second = await asyncio.gather(*questions, return_exceptions=True)
    assert (type(first), second) == (Forbidden, DEPLOYMENTS)


@pytest.mark.parametrize("is_told", [True, False], ids=["invalidated", "fresh"])
async def test_known_kinds_are_read_again_only_when_invalidated(
    server: FakeApiServer, client: KubeClient, is_told: bool
) -> None:
    server.play(aggregated(""), aggregated("apps", an_entry("deployments", "Deployment")))
    server.play(aggregated(""), aggregated("apps", an_entry("deployments", "Deployment")))
    discovery = Discovery(client)
    assert await discovery.serves("apps")
    if is_told:
        discovery.invalidate()
    assert await discovery.serves("apps")
    assert len(server.requests) == (4 if is_told else 2)


async def test_knows_answers_from_memory(server: FakeApiServer, client: KubeClient) -> None:
    server.play(aggregated("", an_entry("secrets", "Secret")), aggregated("apps"))
    discovery = Discovery(client)
    before = discovery.knows("v1", "Secret")
    await discovery.resource_for("v1", "Secret")
    assert (before, discovery.knows("v1", "Secret"), discovery.knows("v2", "Secret")) == (False, True, False)
    assert len(server.requests) == 2


class Disturbed(Discovery):
    """Something changes, and somebody asks for it, while the first answer is under way."""

    late: asyncio.Task[Resource] | None = None

    async def _read(self, root: str) -> Any:
        half = await super()._read(root)
        if root == "/apis" and self.late is None:
            self.invalidate()
            self.late = asyncio.create_task(self.resource_for("apps/v1", "Deployment"))
            await asyncio.sleep(0)
        return half


async def test_answer_that_was_under_way_when_something_changed_is_no_answer_to_it(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(aggregated(""), aggregated("apps", an_entry("x", "X")))
    server.play(aggregated(""), aggregated("apps", an_entry("deployments", "Deployment")))
    discovery = Disturbed(client)
    assert await discovery.serves("apps", "X")
    assert discovery.late is not None
    assert (await discovery.late, len(server.requests)) == (DEPLOYMENTS, 4)


async def test_version_of_an_upgraded_cluster_is_found_without_a_change_of_kinds(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(aggregated(""), aggregated("apps"), Reply({"gitVersion": "v1.36.3"}), Reply({"gitVersion": "v1.37.0"}))
    now = 0.0
    discovery = Discovery(client, clock=lambda: now)
    before = [await discovery.served() for _ in range(2)]
    now = 300.0
    after = await discovery.served()
    assert ([each.kube_version for each in before], after.kube_version) == (["1.36.3"] * 2, "1.37.0")
    assert len(server.requests) == 4
