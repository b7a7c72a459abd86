"""Pull secrets: followed while catalogd runs, and a catalog that waits for one is tried again at once."""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import Component
from tests.contents import LEDGER
from tests.oci_images import a_catalog_image
from tests.registry import Login, Registry, running_registry

if TYPE_CHECKING:
    from tests.api.catalogd.conftest import Catalogs

ACCOUNT = "catalogd-controller-manager"


@pytest.fixture
async def guarded(olm: Cluster) -> AsyncIterator[Registry]:
    """A registry that asks for a login; it lives in the loop of the test, so whatever waits must do so in a thread."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*olm.workspace.serving_pair("guarded-registry"))
    async with running_registry(context, Login("basic")) as running:
        yield running
    # The goodbye of TLS takes a moment, and connections of a loop that is closed before it are warnings.
    await asyncio.sleep(0.2)


def a_pull_secret(name: str, registry: str, namespace: str = SYSTEM_NAMESPACE) -> Mapping[str, Any]:
    login = base64.b64encode(b"me:secret").decode()
    config = json.dumps({"auths": {registry: {"auth": login}}}).encode()
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": namespace},
        "type": "kubernetes.io/dockerconfigjson",
        "data": {".dockerconfigjson": base64.b64encode(config).decode()},
    }


async def test_a_pull_secret_of_the_account_is_used_as_soon_as_it_is_named(
    catalogs: Catalogs, guarded: Registry
) -> None:
    ref = guarded.push("team/catalog", "v1", a_catalog_image({"catalog.yaml": LEDGER}))
    await asyncio.to_thread(catalogs.apply, f"{guarded.host}/team/catalog:v1")
    message = await asyncio.to_thread(catalogs.wait, "Progressing", "Retrying")
    assert "401" in message
    account = ["serviceaccount", ACCOUNT, "-n", SYSTEM_NAMESPACE]
    try:
        await asyncio.to_thread(catalogs.kubectl.apply, a_pull_secret("login", guarded.host))
        patch = '{"imagePullSecrets": [{"name": "login"}]}'
        await asyncio.to_thread(catalogs.kubectl.run, "patch", *account, f"--patch={patch}")
        await asyncio.to_thread(catalogs.wait_serving, ref)
    finally:
        remove = '[{"op": "remove", "path": "/imagePullSecrets"}]'
        await asyncio.to_thread(catalogs.kubectl.run, "patch", *account, "--type=json", f"--patch={remove}")
        await asyncio.to_thread(catalogs.kubectl.delete, "secret", "login", SYSTEM_NAMESPACE)


async def test_the_global_pull_secret_is_used(
    catalogs: Catalogs, guarded: Registry, replica: Callable[..., Component]
) -> None:
    ref = guarded.push("team/catalog", "v1", a_catalog_image({"catalog.yaml": LEDGER}))
    await asyncio.to_thread(catalogs.component.stop)
    await asyncio.to_thread(catalogs.kubectl.apply, a_pull_secret("everywhere", guarded.host))
    try:
        await asyncio.to_thread(replica, {"global-pull-secret": f"{SYSTEM_NAMESPACE}/everywhere"})
        await asyncio.to_thread(catalogs.apply, f"{guarded.host}/team/catalog:v1")
        await asyncio.to_thread(catalogs.wait_serving, ref)
    finally:
        await asyncio.to_thread(catalogs.kubectl.delete, "secret", "everywhere", SYSTEM_NAMESPACE)
