"""Polling and retries of the reconciler, with the clock in the hand of the test, on a real API server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import pytest
from prometheus_client import CollectorRegistry

from catalogd.reconcilers.catalog import CatalogReconciler, Ports
from catalogd.reconcilers.tidings import Tidings
from catalogd.reconcilers.view import metadata_patch
from catalogd.store import Store
from catalogd.unpack import Unpacker
from devcluster.cluster import Cluster
from olmv1.errors import RetryableError
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings, Timing
from olmv1.kube.caches import Cache, Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Result
from olmv1.kube.resources import CLUSTER_CATALOGS
from olmv1.manifests import Manifest
from tests.contents import LEDGER
from tests.oci_images import a_catalog_image
from tests.registry import Fault, Registry, running_registry
from tests.registry_tls import Authority
from tests.waiting import eventually

GOOD = a_catalog_image({"catalog.yaml": LEDGER})
BETTER = a_catalog_image({"catalog.yaml": LEDGER.replace(b"1.0.0", b"1.1.0")})
BAD = a_catalog_image({"catalog.yaml": b"- 1"})


@dataclass
class Notebook:
    reasons: list[str] = field(default_factory=list)

    def emit(
        self,
        about: Manifest,  # noqa: ARG002
        *,
        type_: Literal["Normal", "Warning"],  # noqa: ARG002
        reason: str,
        message: str,  # noqa: ARG002
        action: str,  # noqa: ARG002
    ) -> None:
        self.reasons.append(str(reason))


@dataclass
class Bench:
    """One catalog with a reconciler of its own; `at_s` is its clock, 0.5 what it draws."""

    client: KubeClient
    cache: Cache
    store: Store
    registry: Registry
    notebook: Notebook
    name: str
    at_s: float = 0.0
    ports: Ports = field(init=False)
    reconciler: CatalogReconciler = field(init=False)

    def restart(self) -> None:
        self.reconciler = CatalogReconciler(self.ports)

    async def step(self) -> Result:
        """Pass after pass until there is nothing left to do now; the result of the last one that did something."""
        result = Result()
        for _ in range(6):
            before = await self.seen()
            result = await self.reconciler.reconcile(self.name)
            if await self.object() == before:
                return result
        raise AssertionError("the reconciler writes without end")

    async def seen(self) -> Manifest:
        """The object as it is, once the cache has it too."""
        now = await self.object()
        await eventually(lambda: self.cache.get(self.name) == now)
        return now

    async def object(self) -> Manifest:
        found = dict(await self.client.get(CLUSTER_CATALOGS, self.name))
        found["metadata"] = {key: value for key, value in found["metadata"].items() if key != "managedFields"}
        return found

    async def reason(self, type_: str) -> str:
        conditions = (await self.object())["status"]["conditions"]
        return str(next(c["reason"] for c in conditions if c["type"] == type_))

    def pulls(self) -> int:
        return sum(request.method == "GET" and "/blobs/" in request.path for request in self.registry.requests)


@pytest.fixture
async def bench(olm: Cluster, tmp_path: Path) -> AsyncIterator[Bench]:
    authority = Authority.create(tmp_path)
    cas = tmp_path / "cas"
    cas.mkdir()
    (cas / "ca.crt").write_bytes(authority.ca_file.read_bytes())
    images = replace(
        ImageSettings.from_environment({"HOME": str(tmp_path)}, pull_cas_dir=cas),
        timing=Timing(retry_attempts=1),
        registries_conf_dirs=(),
        policy=(),
    )
    name = f"timing-{tmp_path.name.replace('_', '-')}"[:60]
    async with (
        running_registry(authority.server_context()) as registry,
        await KubeClient.connect(str(olm.kubeconfig), user_agent="test") as client,
        Caches(client) as caches,
    ):
        cache, store, puller = caches.open(CLUSTER_CATALOGS), Store(tmp_path / "cache"), Puller(images)
        store.load()
        made = Bench(client, cache, store, registry, Notebook(), name)
        unpacker = Unpacker(puller, store, CollectorRegistry())
        made.ports = Ports(
            client, cache, store, puller, unpacker, Tidings(made.notebook), lambda n: f"https://x/catalogs/{n}",
            clock=lambda: made.at_s, draw=lambda: 0.5,
        )  # fmt: skip
        made.restart()
        await cache.wait_synced()
        await client.create(CLUSTER_CATALOGS, a_catalog(name, registry.host))
        await eventually(lambda: cache.get(name))
        yield made
        await client.delete(CLUSTER_CATALOGS, name)
        if patch := metadata_patch(await made.object(), is_held=False):
            await client.patch(CLUSTER_CATALOGS, name, patch)
        await puller.close()
    await asyncio.sleep(0.1)  # the goodbye of TLS


def a_catalog(name: str, host: str) -> Mapping[str, Any]:
    image = {"ref": f"{host}/team/catalog:v1", "pollIntervalMinutes": 10}
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterCatalog",
        "metadata": {"name": name},
        "spec": {"source": {"type": "Image", "image": image}},
    }


def delay_of(result: Result) -> float:
    named = result.error.retry_after_s if isinstance(result.error, RetryableError) else result.requeue_after_s
    assert named is not None
    return named


async def test_polls_come_after_the_interval_and_fetch_only_what_is_new(bench: Bench) -> None:
    ref = bench.registry.push("team/catalog", "v1", GOOD)
    result = await bench.step()
    assert result.requeue_after_s == pytest.approx(600 * 0.55)  # the first poll is spread over the interval
    pulled = bench.pulls()
    bench.at_s = 400.0
    assert (await bench.step()).requeue_after_s == pytest.approx(600 * 1.05)
    assert bench.pulls() == pulled
    better = bench.registry.push("team/catalog", "v1", BETTER)
    bench.at_s = 1000.0
    await bench.step()
    assert (await bench.object())["status"]["resolvedSource"]["image"]["ref"] == ref
    bench.at_s = 1031.0
    await bench.step()
    assert (await bench.object())["status"]["resolvedSource"]["image"]["ref"] == better
    assert bench.notebook.reasons == ["ImageAccepted", "Succeeded", "Succeeded"]


async def test_an_unchanged_poll_is_one_head_request(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", GOOD)
    await bench.step()
    bench.registry.requests.clear()
    bench.at_s = 400.0
    before = await bench.object()
    await bench.step()
    assert bench.registry.asked() == ["HEAD /v2/team/catalog/manifests/v1"]
    assert await bench.object() == before


async def test_failures_wait_longer_and_longer_and_what_the_registry_says(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", GOOD)
    bench.registry.fail(Fault("manifests", times=99, status=500))
    delays = []
    for _ in range(12):
        result = await bench.step()
        delays.append(delay_of(result))
        bench.at_s += delays[-1]
    assert delays[:4] == pytest.approx([0.5, 1.0, 2.0, 4.0])
    assert max(delays) == pytest.approx(300.0)


async def test_the_time_that_a_registry_names_is_honoured(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", GOOD)
    bench.registry.fail(Fault("manifests", times=99, status=429, headers={"Retry-After": "77"}))
    result = await bench.step()
    assert result.requeue_after_s == pytest.approx(77.0)


async def test_a_failing_catalog_is_tried_again_at_once_when_it_is_woken(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", GOOD)
    bench.registry.fail(Fault("manifests", times=99, status=401))
    await bench.step()
    bench.registry.faults.clear()
    await bench.step()
    assert await bench.reason("Progressing") == "Retrying"
    assert bench.reconciler.wake_failing() == [bench.name]
    await bench.step()
    assert await bench.reason("Progressing") == "Succeeded"


async def test_a_bad_digest_is_not_fetched_again_but_its_tag_is_polled(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", BAD)
    result = await bench.step()
    assert await bench.reason("Progressing") == "Blocked"
    assert result.requeue_after_s == pytest.approx(330.0)
    pulled = bench.pulls()
    bench.at_s = 400.0
    await bench.step()
    assert bench.pulls() == pulled
    assert await bench.reason("Progressing") == "Blocked"
    bench.registry.push("team/catalog", "v1", GOOD)
    bench.at_s = 1200.0
    await bench.step()
    assert await bench.reason("Serving") == "Available"


async def test_a_restart_asks_the_registry_nothing_before_the_next_poll(bench: Bench) -> None:
    bench.registry.push("team/catalog", "v1", GOOD)
    await bench.step()
    before = await bench.object()
    bench.registry.requests.clear()
    bench.restart()
    result = await bench.step()
    assert bench.registry.requests == []
    assert result.requeue_after_s == pytest.approx(330.0)
    assert await bench.object() == before


async def test_the_result_of_a_failed_look_names_the_error_once(bench: Bench) -> None:
    bench.registry.fail(Fault("manifests", times=99, status=500))
    results = []
    for _ in range(4):
        await bench.seen()
        results.append(await bench.reconciler.reconcile(bench.name))
    assert [type(result.error) for result in results] == [type(None), type(None), RetryableError, type(None)]
    assert [result.outcome for result in results] == ["prepared", "pending", "Retrying", ""]
