"""Every object that the published bundles render is one that a real API server takes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator

import pytest

from devcluster.cluster import Cluster
from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS
from olmv1.manifests import Manifest, key_of, name_of
from operator_controller.bundle import parse_bundle
from operator_controller.renderer import Certificates, RenderOptions, render
from operator_controller.revisions.desired import BundleIdentity, as_stored
from tests.bundles import files_of
from tests.data import data_dir

pytestmark = pytest.mark.data

_NAMESPACE = "rendered"
_FIELD_MANAGER = "rendered"
_PARALLEL = 8
_PATIENCE_S = 60
_PAUSE_S = 0.1
# Without them on the cluster an object cannot be asked about; every other kind is built in.
_OPTIONAL_GROUPS = frozenset({"monitoring.coreos.com", "cert-manager.io", "console.openshift.io"})


@pytest.fixture(scope="module")
def rendered() -> dict[str, tuple[Manifest, ...]]:
    """The objects of every bundle as they are applied, by the bundle."""
    return dict(_rendered())


@pytest.fixture
async def client(
    new_cluster: Callable[[], Cluster], rendered: dict[str, tuple[Manifest, ...]]
) -> AsyncIterator[KubeClient]:
    """A client of a new cluster on which the CRDs of all bundles are established; the cluster ends with them.

    On the cluster of the session they would have to go again: hundreds of definitions take the API server a minute.
    """
    cluster = new_cluster()
    cluster.ensure_namespace(_NAMESPACE)
    async with await KubeClient.connect(str(cluster.kubeconfig), user_agent="test/1") as connected:
        crds = {name_of(each): each for each in _crds(rendered.values())}
        await _each(_establish(connected, crd) for crd in crds.values())
        yield connected


async def test_api_server_takes_every_object_of_every_bundle(
    client: KubeClient, rendered: dict[str, tuple[Manifest, ...]]
) -> None:
    discovery = Discovery(client)
    missing = {group for group in _OPTIONAL_GROUPS if not await discovery.serves(group)}
    asked = [
        (bundle, each) for bundle, objects in rendered.items() for each in objects if key_of(each).group not in missing
    ]
    assert (len(rendered), len(asked) > 500) == (40, True)
    refused: list[str] = []

    async def ask(bundle: str, manifest: Manifest) -> None:
        key = key_of(manifest)
        try:
            resource = await discovery.resource_for(key.api_version, key.kind)
            await client.apply(resource, manifest, field_manager=_FIELD_MANAGER, force=True, dry_run=True)
        except OlmError as error:
            refused.append(f"{bundle}: {key}: {error}")

    await _each(ask(bundle, each) for bundle, each in asked)
    assert sorted(refused) == []


def _rendered() -> Iterator[tuple[str, tuple[Manifest, ...]]]:
    """Each bundle for all namespaces where it can be, else for the one it is installed in, else for another."""
    for folder in sorted(path.parent for path in data_dir("bundles").glob("*/*/expected.json")):
        bundle = parse_bundle(files_of(folder))
        modes = bundle.install_modes
        config = None if modes & {"AllNamespaces"} else {"watchNamespace": _NAMESPACE}
        if config and "OwnNamespace" not in modes:
            config = {"watchNamespace": "default"}
        options = RenderOptions(_NAMESPACE, config, certificates=Certificates.SELF_SIGNED, api_roles=True)
        identity = BundleIdentity(bundle.package, bundle.csv_name, "1.0.0", None, "registry/image")
        yield folder.parent.name, tuple(as_stored(each, "extension", identity) for each in render(bundle, options))


def _crds(rendered: Iterable[tuple[Manifest, ...]]) -> Iterator[Manifest]:
    return (each for objects in rendered for each in objects if each["kind"] == "CustomResourceDefinition")


async def _establish(client: KubeClient, crd: Manifest) -> None:
    await client.apply(CUSTOM_RESOURCE_DEFINITIONS, crd, field_manager=_FIELD_MANAGER, force=True)
    await _until(lambda: _is_established(client, name_of(crd)))


async def _is_established(client: KubeClient, name: str) -> bool:
    crd = await client.get(CUSTOM_RESOURCE_DEFINITIONS, name)
    conditions = (crd.get("status") or {}).get("conditions") or ()
    return any(each["type"] == "Established" and each["status"] == "True" for each in conditions)


async def _until(check: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        while True:
            if await check():
                return
            await asyncio.sleep(_PAUSE_S)


async def _each(jobs: Iterable[Coroutine[object, object, None]]) -> None:
    """All jobs, a few at a time."""
    limit = asyncio.Semaphore(_PARALLEL)

    async def limited(job: Coroutine[object, object, None]) -> None:
        async with limit:
            await job

    async with asyncio.TaskGroup() as group:
        for job in jobs:
            group.create_task(limited(job))
