"""Which Secrets count as logins, and what of them stays in memory."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from olmv1.images.credentials import Credential
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import SECRETS
from olmv1.pull_secrets import PullSecrets, login_of
from tests.fake_apiserver import FakeApiServer, Stream, fake_apiserver
from tests.waiting import eventually


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


LOGIN = encoded('{"auths": {"quay.io": {"username": "u", "password": "p"}}}')


def an_event(name: str, **content: Any) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "olm", "uid": name, "resourceVersion": "1"}
    return {"type": "ADDED", "object": {"metadata": metadata, **content}}


def an_end() -> dict[str, Any]:
    metadata = {"resourceVersion": "5", "annotations": {"k8s.io/initial-events-end": "true"}}
    return {"type": "BOOKMARK", "object": {"metadata": metadata}}


async def test_an_opaque_secret_with_a_login_counts(server: FakeApiServer) -> None:
    # Both caches are told of both objects; each looks for its own by name.
    account = an_event("catalogd", imagePullSecrets=[{"name": "login"}])
    secret = an_event("login", type="Opaque", data={".dockerconfigjson": LOGIN, "other": encoded("x")})
    server.play(afterwards=Stream((account, secret, an_end()), "hold"))
    async with await KubeClient.connect(server.kubeconfig, user_agent="test") as client, Caches(client) as caches:
        secrets = PullSecrets(caches, ("olm", "catalogd"), None, lambda: None)
        await eventually(lambda: secrets.credentials().entries)
        assert secrets.credentials().entries == {"quay.io": Credential("u", "p")}
    asked = {request.path: request.query.get("fieldSelector") for request in server.requests}
    assert asked[SECRETS.path("olm")] == "type!=olm.operatorframework.io/object-data"


@pytest.mark.parametrize(
    ("data", "kept"),
    [
        pytest.param({".dockercfg": "e30=", "token": "x"}, {"data": {".dockercfg": "e30="}}, id="login"),
        pytest.param({"token": "x"}, {}, id="other"),
        pytest.param(None, {}, id="empty"),
    ],
)
def test_login_of_keeps_no_other_secret(data: Any, kept: dict[str, Any]) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "stringData": {"x": "y"}, "data": data}
    assert login_of(secret) == {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, **kept}
