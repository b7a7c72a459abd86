from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from olmv1.kube.caches import Cache
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import CLUSTER_ROLE_BINDINGS, CLUSTER_ROLES
from olmv1.manifests import Manifest
from operator_controller.authorization import Account
from operator_controller.reconcilers.rights import MissingRightsError, RightsChecks
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache
from tests.rbac import a_binding, a_role, a_rule, an_account, an_object

ACCOUNT = Account("shop", "installer")
SECRETS = {"name": "secrets", "kind": "Secret", "namespaced": True}
DISCOVERY = (
    Reply({"versions": ["v1"]}),
    Reply({"groupVersion": "v1", "resources": [SECRETS]}),
    Reply({"groups": []}),
)


def review(*, allowed: bool) -> Reply:
    return Reply({"kind": "SubjectAccessReview", "status": {"allowed": allowed}}, status=201)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        fake.play(*DISCOVERY)
        yield fake


@pytest.fixture
async def client(server: FakeApiServer) -> AsyncIterator[KubeClient]:
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1") as made:
        yield made


def checks(client: KubeClient, *rules: Mapping[str, Any]) -> RightsChecks:
    """The check where the account has these rules in the whole cluster."""
    roles, bindings = FedCache(CLUSTER_ROLES), FedCache(CLUSTER_ROLE_BINDINGS)
    roles.put(a_role("mine", *rules))
    bindings.put(a_binding("mine", an_account()))
    watches: list[Cache] = [roles, bindings]
    return RightsChecks(client, Discovery(client), watches)


def asked(server: FakeApiServer) -> list[dict[str, Any]]:
    """What was asked about access."""
    bodies = [json.loads(seen.body) for seen in server.requests if seen.method == "POST"]
    return [body["spec"]["resourceAttributes"] for body in bodies]


SECRET: tuple[Manifest, ...] = (an_object("Secret"),)


async def test_rights_are_found_without_a_request_about_access(server: FakeApiServer, client: KubeClient) -> None:
    await checks(client, a_rule("secrets", "create delete patch", "till")).require(SECRET, ACCOUNT)
    assert asked(server) == []


async def test_rights_that_another_authorizer_gives_are_not_missing(server: FakeApiServer, client: KubeClient) -> None:
    server.play(review(allowed=True))
    await checks(client, a_rule("secrets", "create delete", "till")).require(SECRET, ACCOUNT)
    assert asked(server) == [{"namespace": "shop", "verb": "patch", "resource": "secrets", "name": "till"}]


@pytest.mark.parametrize("answer", [review(allowed=False), Reply(status_of(403, "Forbidden", "no"), status=403)])
async def test_rights_that_nobody_gives_are_told_all_at_once(
    server: FakeApiServer, client: KubeClient, answer: Reply
) -> None:
    server.play(afterwards=answer)
    with pytest.raises(MissingRightsError) as caught:
        await checks(client).require(SECRET, ACCOUNT)
    assert str(caught.value) == (
        "creating new Revision: pre-authorization failed: service account requires the following permissions to manage "
        'cluster extension:\n  Namespace:"shop" APIGroups:[] Resources:[secrets] ResourceNames:[till] '
        "Verbs:[create,delete,patch]"
    )
    assert len(asked(server)) == 3


async def test_many_missing_rights_are_asked_about_by_a_sample(server: FakeApiServer, client: KubeClient) -> None:
    server.play(afterwards=review(allowed=False))
    with pytest.raises(MissingRightsError) as caught:
        await checks(client).require([an_object("Secret", f"s-{number}") for number in range(100)], ACCOUNT)
    assert (len(asked(server)), len(caught.value.missing.rules)) == (20, 100)


async def test_every_missing_right_is_asked_about_where_another_authorizer_allows_one(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(afterwards=review(allowed=True))
    await checks(client).require([an_object("Secret", f"s-{number}") for number in range(10)], ACCOUNT)
    assert len(asked(server)) == 30
