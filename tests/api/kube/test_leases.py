from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from typing import Any

import pytest

from devcluster.cluster import Cluster
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.controller import Controller, Result
from olmv1.kube.events import EventRecorder
from olmv1.kube.leases import LeaderElector, LostLease
from olmv1.kube.resources import CONFIG_MAPS, LEASES
from tests.waiting import eventually

HOLDER = """
import asyncio, sys
from olmv1.kube.client import KubeClient
from olmv1.kube.leases import LeaderElector

async def lead():
    print("leading", file=sys.stderr, flush=True)
    await asyncio.Event().wait()

async def main(kubeconfig, namespace):
    async with await KubeClient.connect(kubeconfig, user_agent="test/1") as client:
        await LeaderElector(client, namespace=namespace, name="lock", identity="first").run(lead)

asyncio.run(main(*sys.argv[1:]))
"""


def an_elector(client: KubeClient, namespace: str, identity: str, **times: float) -> LeaderElector:
    wanted: dict[str, Any] = {"lease_s": 3, "renew_s": 2, "retry_s": 0.2, **times}
    return LeaderElector(client, namespace=namespace, name="lock", identity=identity, **wanted)


async def lead_for_ever() -> None:
    await asyncio.Event().wait()


async def spec_of(client: KubeClient, namespace: str) -> dict[str, Any]:
    spec: dict[str, Any] = (await client.get(LEASES, "lock", namespace))["spec"]
    return spec


async def test_a_clean_stop_releases_the_lease_and_the_standby_leads_at_once(
    client: KubeClient, namespace: str
) -> None:
    first, second = (an_elector(client, namespace, name, lease_s=60, renew_s=50) for name in ("first", "second"))
    async with asyncio.TaskGroup() as group:
        leading = group.create_task(first.run(lead_for_ever))
        await eventually(lambda: first.is_leader)
        standby = group.create_task(second.run(lead_for_ever))
        leading.cancel()
        await eventually(lambda: second.is_leader, deadline_s=5)
        spec = await spec_of(client, namespace)
        standby.cancel()
    assert (spec["holderIdentity"], spec["leaseTransitions"], first.is_leader) == ("second", 1, False)
    released = await spec_of(client, namespace)
    assert (released["holderIdentity"], released["leaseDurationSeconds"]) == ("", 1)


async def test_the_standby_takes_over_within_twenty_seconds_when_the_leader_is_killed(
    cluster: Cluster, client: KubeClient, namespace: str
) -> None:
    command = [sys.executable, "-c", HOLDER, str(cluster.kubeconfig), namespace]
    holder = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    try:
        assert holder.stderr is not None
        await holder.stderr.readuntil(b"leading\n")
        second = LeaderElector(client, namespace=namespace, name="lock", identity="second")
        async with asyncio.TaskGroup() as group:
            standby = group.create_task(second.run(lead_for_ever))
            await asyncio.sleep(1)  # the standby has seen the holder at work
            holder.kill()
            started = time.monotonic()
            await eventually(lambda: second.is_leader, deadline_s=30)
            seconds = time.monotonic() - started
            standby.cancel()
    finally:
        with contextlib.suppress(ProcessLookupError):
            holder.kill()
        await holder.communicate()
    assert 12 < seconds < 20


async def test_a_lease_that_is_taken_away_ends_the_work(client: KubeClient, namespace: str) -> None:
    elector = an_elector(client, namespace, "first", lease_s=60, renew_s=50)
    leading = asyncio.ensure_future(elector.run(lead_for_ever))
    await eventually(lambda: elector.is_leader)
    await client.patch(LEASES, "lock", {"spec": {"holderIdentity": "thief"}}, namespace=namespace)
    with pytest.raises(LostLease):
        await asyncio.wait_for(leading, 5)
    assert (await spec_of(client, namespace))["holderIdentity"] == "thief"


async def test_only_one_of_many_leads(client: KubeClient, namespace: str) -> None:
    electors = [an_elector(client, namespace, f"replica-{number}") for number in range(5)]
    leading = 0
    most = 0

    async def lead() -> None:
        nonlocal leading, most
        leading += 1
        most = max(most, leading)
        await asyncio.sleep(0.3)
        leading -= 1

    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        for elector in electors:
            group.create_task(elector.run(lead))
    assert (most, (await spec_of(client, namespace))["leaseTransitions"]) == (1, 4)


async def test_everything_stops_within_seconds_and_leaves_the_lease_free(client: KubeClient, namespace: str) -> None:
    busy = asyncio.Event()

    async def reconcile(_: str) -> Result:
        busy.set()
        await asyncio.Event().wait()
        return Result()

    async def work() -> None:
        controller = Controller("test", reconcile)
        recorder = EventRecorder(client, "test", "test")
        async with Caches(client) as caches, asyncio.TaskGroup() as group:
            cache = caches.open(CONFIG_MAPS, namespace=namespace)
            cache.add_handler(lambda change: controller.enqueue(change.object["metadata"]["name"]))
            group.create_task(controller.run())
            group.create_task(recorder.run())

    async with asyncio.TaskGroup() as group:
        running = group.create_task(an_elector(client, namespace, "first").run(work))
        await asyncio.wait_for(busy.wait(), 10)
        running.cancel()
        started = time.monotonic()
    assert time.monotonic() - started < 2
    assert (await spec_of(client, namespace))["holderIdentity"] == ""
