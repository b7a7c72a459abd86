"""What the keeper of certificates does when the API server does not do as it is told."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import SECRETS
from operator_controller.certificates import Lifetimes, Need, Steps, due
from operator_controller.outcome.object_set import Action, ObjectReport, PhaseReport
from operator_controller.revisions.plan import Plan, plan_of
from operator_controller.revisions.probes import ProbeResult, Truth
from operator_controller.rollout.authorities import Authorities
from operator_controller.rollout.authority_secret import Stored, data_of, facts_of, stepped
from operator_controller.rollout.observe import Observer
from tests.builders import an_object, an_object_set
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OLM = "olm.operatorframework.io"
EXTRAS = f"extras.{OLM}"
PLACE = ("lantern-system", "cert")
SECRET = "set-c5220b3c4266890f-certificates"
PATH = f"/api/v1/namespaces/system/secrets/{SECRET}"
MISSING = Reply(status_of(404, "NotFound", "gone"), 404)
REFUSED = Reply(status_of(403, "Forbidden", "no"), 403)
CONFLICT = Reply(status_of(409, "Conflict", "the object has been modified"), 409)
EXISTS = Reply(status_of(409, "AlreadyExists", "there"), 409)


class OneCache:
    """Stands for the watches: one fed cache for every kind."""

    def __init__(self) -> None:
        self.cache = FedCache(SECRETS)
        self.cache._synchronised("1")

    def open(self, *_: Any, **__: Any) -> FedCache:
        return self.cache

    def close(self, *_: Any) -> None:
        """Nothing is running."""


def objects() -> list[dict[str, Any]]:
    service = an_object("Service", "svc", metadata={"annotations": {f"{EXTRAS}/serving-cert": "cert"}})
    metadata = {"annotations": {f"{EXTRAS}/inject-ca": "lantern-system/cert"}}
    return [
        service,
        an_object("MutatingWebhookConfiguration", "m", "admissionregistration.k8s.io/v1", metadata=metadata),
    ]


def a_set() -> dict[str, Any]:
    return an_object_set(phases=[{"name": "one", "objects": [{"object": item} for item in objects()]}])


def reports(action: Action = Action.IDLE) -> list[PhaseReport]:
    found = ObjectReport(plan().phases[0].objects[1].key, action, ProbeResult(Truth.TRUE))
    return [PhaseReport(0, "one", (found,))]


def plan() -> Plan:
    return plan_of(a_set(), {}, "system")


def a_secret(stored: Stored, version: str = "5") -> dict[str, Any]:
    metadata = {"name": SECRET, "namespace": "system", "resourceVersion": version, "uid": "u"}
    return an_object("Secret", SECRET, metadata=metadata, data=data_of(stored), type=f"{OLM}/certificates")


NAMES = tuple(f"svc.lantern-system{suffix}" for suffix in ("", ".svc", ".svc.cluster.local"))


def made(at: datetime = NOW) -> Stored:
    steps = due(facts_of(Stored()), [Need(PLACE, NAMES)], at, Lifetimes(), is_spread=False)
    return stepped(Stored(), steps, "lantern", at, Lifetimes())


class World:
    def __init__(self, server: FakeApiServer, client: KubeClient) -> None:
        self.server = server
        self.now = NOW
        self.woken: list[str] = []
        self.caches = OneCache()
        self.observer = Observer(self.caches, self.woken.append)  # type: ignore[arg-type]
        self.authorities = Authorities(client, self.observer, "system", lambda: self.now)

    def requests(self) -> list[tuple[str, str]]:
        return [(request.method, request.path) for request in self.server.requests]

    def sent(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(self.server.requests[-1].body)
        return found


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        yield World(server, client)


def in_order(stored: Stored, version: str = "5") -> Reply:
    """The Secret with labels and owner, as it is after a first write."""
    secret = a_secret(stored, version)
    labels = {
        "olm.operatorframework.io/owner-name": "lantern",
        "app.kubernetes.io/managed-by": "olm.operatorframework.io",
    }
    return Reply(
        {**secret, "metadata": {**secret["metadata"], "labels": labels, "ownerReferences": [{"uid": "uid-1"}]}}
    )


async def test_issued_is_none_and_asks_nothing_where_nothing_wants_a_certificate(world: World) -> None:
    plain = an_object_set(phases=[{"name": "one", "objects": [{"object": an_object()}]}])
    assert await world.authorities.issued(plain, plan_of(plain, {}, "system")) is None
    assert world.requests() == []


async def test_issued_asks_once_and_not_again_at_rest(world: World) -> None:
    world.server.play(in_order(made()))
    first = await world.authorities.issued(a_set(), plan())
    again = await world.authorities.issued(a_set(), plan())
    assert first == again
    assert first is not None
    assert (first.look_at, first.awaits_spread) == (NOW + timedelta(days=365) * 2 / 3, False)
    assert world.requests() == [("GET", PATH)]


async def test_issued_reads_again_when_the_secret_was_changed(world: World) -> None:
    world.server.play(in_order(made()), in_order(other := made(), "6"))
    await world.authorities.issued(a_set(), plan())
    for _ in range(6):
        world.caches.cache.put(a_secret(other))
    found = await world.authorities.issued(a_set(), plan())
    assert found is not None
    assert found.pairs[PLACE].certificate == other.serving[PLACE].certificate
    assert world.woken == ["lantern-1"] * 6


async def test_issued_makes_all_in_one_write(world: World) -> None:
    world.server.play(MISSING, Reply(a_secret(made())))
    await world.authorities.issued(a_set(), plan())
    assert world.requests() == [("GET", PATH), ("POST", "/api/v1/namespaces/system/secrets")]
    sent = world.sent()
    assert sorted(sent["data"]) == ["ca.crt", "ca.key", "lantern-system.cert.crt", "lantern-system.cert.key"]
    assert (sent["type"], sent["metadata"]["ownerReferences"][0]["uid"]) == (
        "olm.operatorframework.io/certificates",
        "uid-1",
    )


async def test_secret_of_somebody_else_is_not_written_into(world: World) -> None:
    world.server.play(Reply({**a_secret(Stored()), "type": "Opaque", "data": {"theirs": "eA=="}}), REFUSED)
    with pytest.raises(RetryableError) as raised:
        await world.authorities.issued(a_set(), plan())
    assert str(raised.value) == (
        f"Secret system/{SECRET} is needed for the certificates of webhooks: "
        f'expected type "{OLM}/certificates", found "Opaque"'
    )
    assert world.requests() == [("GET", PATH)]


async def test_issued_decides_anew_when_somebody_was_faster(world: World) -> None:
    world.server.play(MISSING, EXISTS, in_order(made()))
    assert await world.authorities.issued(a_set(), plan()) is not None
    assert [method for method, _ in world.requests()] == ["GET", "POST", "GET"]


async def test_issued_gives_up_for_now_when_somebody_is_always_faster(world: World) -> None:
    world.server.play(*[MISSING, EXISTS] * 3)
    with pytest.raises(RetryableError) as raised:
        await world.authorities.issued(a_set(), plan())
    assert str(raised.value) == f"writing Secret system/{SECRET}: it was changed at the same time"


async def test_renewal_that_is_refused_waits_while_the_certificates_are_good(world: World) -> None:
    ageing = made(NOW - timedelta(days=300))
    world.server.play(in_order(ageing), REFUSED)
    found = await world.authorities.issued(a_set(), plan())
    assert found is not None
    assert found.pairs[PLACE].certificate == ageing.serving[PLACE].certificate
    assert found.look_at == NOW + timedelta(seconds=60)


@pytest.mark.parametrize(
    ("acts", "message"),
    [
        pytest.param([MISSING, REFUSED], "writing", id="nothing is there"),
        pytest.param([in_order(made(NOW - timedelta(days=400))), REFUSED], "writing", id="ended"),
        pytest.param([REFUSED], "reading", id="cannot be read"),
    ],
)
async def test_refusal_is_told_when_there_is_nothing_good(world: World, acts: list[Reply], message: str) -> None:
    world.server.play(*acts)
    with pytest.raises(RetryableError) as raised:
        await world.authorities.issued(a_set(), plan())
    assert str(raised.value) == f"{message} Secret system/{SECRET} with the certificates of webhooks: no"


async def test_successor_takes_over_when_a_pass_has_spread_its_trust(world: World) -> None:
    ageing = made(NOW - timedelta(days=500))
    waiting = stepped(ageing, Steps(adds_successor=True), "lantern", NOW, Lifetimes())
    world.server.play(in_order(ageing), in_order(waiting, "6"), in_order(waiting, "7"))
    issued = await world.authorities.issued(a_set(), plan())
    assert issued is not None
    assert not world.authorities.confirm(a_set(), issued, plan(), reports(Action.WAITING))
    assert world.authorities.confirm(a_set(), issued, plan(), reports())
    await world.authorities.issued(a_set(), plan())
    sent = world.sent()["data"]
    assert waiting.successor is not None
    assert base64.b64decode(sent["ca.crt"]).decode() == waiting.successor.certificate
    assert (sent["next-ca.crt"], sent["next-ca.key"], "retired-ca.crt" in sent) == (None, None, True)


async def test_take_over_that_is_refused_is_not_tried_again_at_once(world: World) -> None:
    ageing = made(NOW - timedelta(days=500))
    steps = Steps(adds_successor=True, issues=(Need(PLACE, NAMES),))
    world.server.play(in_order(stepped(ageing, steps, "lantern", NOW, Lifetimes())), REFUSED)
    first = await world.authorities.issued(a_set(), plan())
    assert first is not None
    assert world.authorities.confirm(a_set(), first, plan(), reports())
    second = await world.authorities.issued(a_set(), plan())
    assert second is not None
    assert (second.look_at, second.awaits_spread) == (NOW + timedelta(seconds=60), True)
    assert not world.authorities.confirm(a_set(), second, plan(), reports())


async def test_forget_drops_what_was_read(world: World) -> None:
    world.server.play(in_order(made()), in_order(made()))
    await world.authorities.issued(a_set(), plan())
    world.authorities.forget("uid-1")
    world.authorities.forget("uid-1")
    await world.authorities.issued(a_set(), plan())
    assert len(world.requests()) == 2


async def test_released_revision_is_woken_no_longer(world: World) -> None:
    world.server.play(in_order(made()))
    await world.authorities.issued(a_set(), plan())
    world.observer.release("uid-1")
    world.caches.cache.put(a_secret(made()))
    assert world.woken == []
