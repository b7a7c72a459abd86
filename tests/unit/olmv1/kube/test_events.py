"""What the recorder does when it cannot write; written Events are tested in tests/api."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from structlog.testing import capture_logs

from olmv1.kube.client import KubeClient
from olmv1.kube.events import EventRecorder
from tests.fake_apiserver import FakeApiServer, Reply, status_of
from tests.waiting import eventually

ABOUT = {
    "apiVersion": "olm.operatorframework.io/v1",
    "kind": "ClusterExtension",
    "metadata": {"name": "till" * 80, "uid": "u"},
}


@asynccontextmanager
async def running(recorder: EventRecorder) -> AsyncIterator[None]:
    async with asyncio.TaskGroup() as group:
        task = group.create_task(recorder.run())
        yield
        task.cancel()


def say(recorder: EventRecorder, message: str = "done") -> None:
    recorder.emit(ABOUT, type_="Normal", reason="Installed", message=message, action="Install")


async def test_a_refused_event_is_logged_and_the_next_one_written(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(status_of(403, "Forbidden", "events is forbidden"), 403), Reply())
    recorder = EventRecorder(client, "operator-controller", "host")
    with capture_logs() as lines:
        async with running(recorder):
            say(recorder, "one")
            say(recorder, "two")
            await eventually(lambda: len(server.requests) == 2)
    assert [(line["event"], line["problem"]) for line in lines] == [("event not written", "events is forbidden")]


async def test_a_repeat_raises_the_series_and_an_event_that_expired_is_written_anew(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(Reply(), Reply(), Reply(status_of(404, "NotFound", "gone"), 404), Reply())
    recorder = EventRecorder(client, "operator-controller", "host")
    async with running(recorder):
        for _ in range(3):
            say(recorder)
        await eventually(lambda: len(server.requests) == 4)
    assert [request.method for request in server.requests] == ["POST", "PATCH", "PATCH", "POST"]
    assert json.loads(server.requests[1].body)["series"]["count"] == 2


async def test_a_repeat_after_ten_minutes_is_news(server: FakeApiServer, client: KubeClient) -> None:
    server.play(afterwards=Reply())
    now = 0.0
    recorder = EventRecorder(client, "operator-controller", "host", clock=lambda: now)
    async with running(recorder):
        say(recorder)
        await eventually(lambda: len(server.requests) == 1)
        now = 601.0
        say(recorder)
        await eventually(lambda: len(server.requests) == 2)
    assert [request.method for request in server.requests] == ["POST", "POST"]


async def test_a_full_queue_drops_and_counts(client: KubeClient) -> None:
    recorder = EventRecorder(client, "operator-controller", "host")
    with capture_logs() as lines:
        for _ in range(1003):
            say(recorder)
    assert (recorder.dropped, [line["event"] for line in lines]) == (3, ["events dropped"])


@pytest.mark.parametrize(
    ("message", "note"),
    [
        pytest.param("é" * 512, "é" * 512, id="1024 bytes"),
        pytest.param("é" * 513, "é" * 510 + "...", id="cut between characters"),
    ],
)
async def test_an_event_keeps_the_limits_of_the_api(
    server: FakeApiServer, client: KubeClient, message: str, note: str
) -> None:
    server.play(Reply())
    recorder = EventRecorder(client, "c" * 200, "h" * 200)
    async with running(recorder):
        say(recorder, message)
        await eventually(lambda: server.requests)
    body = json.loads(server.requests[0].body)
    lengths = [len(body[field]) for field in ("reportingController", "reportingInstance")]
    assert (body["note"], lengths, len(body["metadata"]["name"])) == (note, [128, 128], 253)
    assert (server.requests[0].path, body["regarding"]["uid"]) == (
        "/apis/events.k8s.io/v1/namespaces/default/events",
        "u",
    )


async def test_an_event_of_a_replica_that_leads_no_longer_is_left_out(
    server: FakeApiServer, client: KubeClient
) -> None:
    answers = iter([False, True])
    recorder = EventRecorder(client.guarded_by(lambda: next(answers)), "operator-controller", "host")
    server.play(Reply())
    async with running(recorder):
        say(recorder, "one")
        say(recorder, "two")
        await eventually(lambda: server.requests)
    assert json.loads(server.requests[0].body)["note"] == "two"
