"""What an elector does when the API server is silent or says no; elections are tested in tests/api."""

from __future__ import annotations

import asyncio
import socket
import time
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.leases import LeaderElector, LostLease, new_identity
from tests.fake_apiserver import FakeApiServer, Reply, Silence, status_of
from tests.waiting import eventually

ABSENT = Reply(status_of(404, "NotFound", "no lease"), 404)
CONFLICT = Reply(status_of(409, "Conflict", "modified"), 409)


def a_lease(holder: str, *, seconds: int = 15, version: str = "1") -> Reply:
    metadata = {"name": "lock", "namespace": "olm", "resourceVersion": version}
    spec = {"holderIdentity": holder, "leaseDurationSeconds": seconds, "leaseTransitions": 3}
    return Reply({"metadata": metadata, "spec": spec})


def an_elector(client: KubeClient, **times: float) -> LeaderElector:
    wanted: dict[str, Any] = {"lease_s": 0.6, "renew_s": 0.4, "retry_s": 0.05, **times}
    return LeaderElector(client, namespace="olm", name="lock", identity="me", **wanted)


async def lead_for_ever() -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "silence", [pytest.param(Silence("hold"), id="no answer"), pytest.param(Silence("cut"), id="cut connections")]
)
async def test_a_lease_that_cannot_be_renewed_is_lost_and_the_work_ends(
    server: FakeApiServer, client: KubeClient, silence: Silence
) -> None:
    server.play(ABSENT, a_lease("me"), a_lease("me", version="2"), afterwards=silence)
    elector = an_elector(client)
    with pytest.raises(LostLease, match='^lease "olm/lock" is lost$'):
        await asyncio.wait_for(elector.run(lead_for_ever), 2)
    assert not elector.is_leader


async def test_a_lease_that_another_holds_is_lost_at_once(server: FakeApiServer, client: KubeClient) -> None:
    server.play(ABSENT, a_lease("me"), CONFLICT, a_lease("other"))
    with pytest.raises(LostLease):
        await asyncio.wait_for(an_elector(client, renew_s=60).run(lead_for_ever), 2)
    assert len(server.requests) == 4


async def test_a_lease_that_somebody_labelled_is_kept(server: FakeApiServer, client: KubeClient) -> None:
    server.play(ABSENT, a_lease("me"), CONFLICT, a_lease("me", version="7"), afterwards=a_lease("me", version="8"))
    elector = an_elector(client, renew_s=60)

    async def lead() -> None:
        await eventually(lambda: len(server.requests) >= 6)

    await asyncio.wait_for(elector.run(lead), 5)
    assert b'"resourceVersion":"7"' in server.requests[4].body


async def test_a_failing_renewal_is_tried_again_within_its_deadline(server: FakeApiServer, client: KubeClient) -> None:
    refused = Reply(status_of(500, "InternalError", "etcd is busy"), 500)
    server.play(ABSENT, a_lease("me"), refused, refused, afterwards=a_lease("me"))

    async def lead() -> None:
        await eventually(lambda: len(server.requests) >= 7)

    await asyncio.wait_for(an_elector(client, renew_s=5).run(lead), 5)


async def test_an_error_of_the_work_comes_out_unwrapped_from_the_election(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(ABSENT, afterwards=a_lease("me"))

    async def lead() -> None:
        raise ValueError("bug")

    with pytest.raises(ExceptionGroup) as problem:
        await asyncio.wait_for(an_elector(client).run(lead), 5)
    assert [str(error) for error in problem.value.exceptions] == ["bug"]


async def test_a_silent_holder_is_waited_for_as_long_as_its_lease_says(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(afterwards=a_lease("other", seconds=1))
    loop = asyncio.get_running_loop()
    started = loop.time()

    async def lead() -> None:
        assert loop.time() - started >= 1

    await asyncio.wait_for(an_elector(client, retry_s=5, renew_s=10).run(lead), 3)
    assert [request.method for request in server.requests] == ["GET", "GET", "PUT", "PUT"]


def test_identities_begin_with_the_host_name_and_differ() -> None:
    first, second = new_identity(), new_identity()
    assert first != second
    assert first.startswith(f"{socket.gethostname()}_")


async def test_a_leader_that_slept_past_its_lease_asks_nothing_when_it_wakes(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(ABSENT, a_lease("me"))
    elector = an_elector(client, renew_s=0.2, retry_s=1)

    async def lead() -> None:
        time.sleep(0.3)  # noqa: ASYNC251 - the whole process stands still
        await asyncio.Event().wait()

    with pytest.raises(LostLease):
        await asyncio.wait_for(elector.run(lead), 5)
    assert ([request.method for request in server.requests], elector.is_leader) == (["GET", "POST"], False)
