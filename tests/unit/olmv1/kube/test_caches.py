"""What caches do when the API server or the network misbehaves; the healthy case is tested in tests/api."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from structlog.contextvars import bound_contextvars, get_contextvars
from structlog.testing import capture_logs

from olmv1.kube.caches import Cache, Caches, Change, Patience
from olmv1.kube.client import KubeClient
from olmv1.kube.queue import Backoff
from olmv1.kube.resources import CONFIG_MAPS
from tests.fake_apiserver import FakeApiServer, Reply, Silence, Stream, gone, status_of
from tests.waiting import eventually

QUICK = Patience(Backoff(0.01, 2.0, 0.05))
INVALID = Reply(status_of(422, "Invalid", "sendInitialEvents is forbidden"), 422)
NO_KIND = Reply(status_of(404, "NotFound", "the server could not find the requested resource"), 404)
Told = list[tuple[str, str, str]]


def an_object(name: str, version: int) -> dict[str, Any]:
    metadata = {"name": name, "namespace": "shop", "uid": name, "resourceVersion": str(version)}
    return {"metadata": {**metadata, "managedFields": [{"manager": "x"}]}}


def an_event(kind: str, name: str, version: int) -> dict[str, Any]:
    return {"type": kind, "object": an_object(name, version)}


def a_bookmark(version: int, *, is_end: bool = False) -> dict[str, Any]:
    annotations = {"annotations": {"k8s.io/initial-events-end": "true"}} if is_end else {}
    return {"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": str(version), **annotations}}}


def a_list(*names: str, version: int = 5) -> tuple[dict[str, Any], ...]:
    return (*(an_event("ADDED", name, 1) for name in names), a_bookmark(version, is_end=True))


@asynccontextmanager
async def running(client: KubeClient) -> AsyncIterator[tuple[Cache, Told]]:
    told: Told = []
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS, namespace="shop")
        cache.add_handler(
            lambda change: told.append(
                (change.type, change.object["metadata"]["name"], change.object["metadata"]["resourceVersion"])
            )
        )
        yield cache, told


async def test_a_cut_watch_goes_on_from_the_last_version(server: FakeApiServer, client: KubeClient) -> None:
    server.play(
        Stream((*a_list("a"), an_event("MODIFIED", "a", 6), a_bookmark(8)), "cut"),
        Stream((an_event("ADDED", "b", 9),), "hold"),
    )
    async with running(client) as (cache, told):
        await eventually(lambda: cache.get("b", "shop"))
    assert told == [("ADDED", "a", "1"), ("MODIFIED", "a", "6"), ("ADDED", "b", "9")]
    assert [request.query.get("resourceVersion") for request in server.requests] == [None, "8"]


async def test_a_version_too_old_brings_a_new_list_and_its_differences(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(Stream((*a_list("a", "b", "c"), an_event("MODIFIED", "c", 6), gone())))
    fresh = (an_event("ADDED", "b", 1), an_event("ADDED", "c", 7), an_event("ADDED", "d", 8))
    server.play(Stream((*fresh, a_bookmark(9, is_end=True)), "hold"))
    async with running(client) as (cache, told):
        await eventually(lambda: cache.get("d", "shop"))
    first = [("ADDED", "a", "1"), ("ADDED", "b", "1"), ("ADDED", "c", "1"), ("MODIFIED", "c", "6")]
    assert told == [*first, ("DELETED", "a", "1"), ("MODIFIED", "c", "7"), ("ADDED", "d", "8")]


@pytest.mark.parametrize(
    "refusal",
    [
        pytest.param(Stream((gone(),)), id="in the stream"),
        pytest.param(Reply(status_of(410, "Gone", "too old"), 410), id="as status"),
    ],
)
async def test_a_storm_of_too_old_versions_is_survived_without_a_storm_of_lists(
    server: FakeApiServer, client: KubeClient, refusal: Reply | Stream
) -> None:
    server.play(*[refusal] * 4, Stream(a_list("a"), "hold"))
    async with running(client) as (cache, told):
        await eventually(lambda: cache.is_synced, deadline_s=20)
    assert (told, len(server.requests)) == ([("ADDED", "a", "1")], 5)


async def test_a_server_without_streaming_lists_is_listed_in_pages(server: FakeApiServer, client: KubeClient) -> None:
    first = Reply({"metadata": {"resourceVersion": "5", "continue": "x"}, "items": [an_object("a", 1)]})
    second = Reply({"metadata": {"resourceVersion": "5"}, "items": [an_object("b", 2)]})
    server.play(INVALID, first, second, Stream((an_event("DELETED", "a", 6), gone())))
    server.play(Reply({"metadata": {"resourceVersion": "9"}, "items": []}))
    async with running(client) as (_, told):
        await eventually(lambda: len(told) == 4)
    assert told == [("ADDED", "a", "1"), ("ADDED", "b", "2"), ("DELETED", "a", "6"), ("DELETED", "b", "2")]
    assert [request.query.get("watch") for request in server.requests[:5]] == ["true", None, None, "true", None]


async def test_a_list_that_breaks_off_is_begun_again_and_told_once(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream((an_event("ADDED", "a", 1),), "cut"), Silence(), Stream(a_list("a"), "hold"))
    with capture_logs() as lines:
        async with running(client) as (cache, told):
            await eventually(lambda: cache.is_synced)
    assert told == [("ADDED", "a", "1")]
    assert [(line["event"], line["query"]) for line in lines] == [("watch interrupted", "configmaps in shop")]


async def test_a_kind_that_disappears_empties_the_cache_and_may_come_back(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(Stream((*a_list("a"), gone())), NO_KIND, Stream(a_list("a"), "hold"))
    async with running(client) as (cache, told):
        await eventually(lambda: len(told) == 3)
        assert cache.get("a", "shop")
    assert told == [("ADDED", "a", "1"), ("DELETED", "a", "1"), ("ADDED", "a", "1")]


async def test_a_kind_that_is_not_served_counts_as_synced_and_empty(server: FakeApiServer, client: KubeClient) -> None:
    server.play(afterwards=NO_KIND)
    async with running(client) as (cache, _):
        await asyncio.wait_for(cache.wait_synced(), 5)
        assert cache.items() == ()


async def test_a_refused_list_leaves_the_cache_unsynced(server: FakeApiServer, client: KubeClient) -> None:
    server.play(afterwards=Reply(status_of(403, "Forbidden", "configmaps is forbidden"), 403))
    with capture_logs() as lines:
        async with running(client) as (cache, _):
            await eventually(lambda: len(server.requests) >= 3)
            assert not cache.is_synced
    assert [line["problem"] for line in lines] == ["configmaps is forbidden"]


async def test_garbage_in_a_watch_is_like_a_cut(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Reply(b"<html>\n"), Stream(a_list("a"), "hold"))
    async with running(client) as (cache, _):
        await eventually(lambda: cache.is_synced)


async def test_deleted_carries_the_last_object_without_managed_fields(
    server: FakeApiServer, client: KubeClient
) -> None:
    last = {**an_event("DELETED", "a", 7), "note": "unused"}
    server.play(Stream((*a_list("a"), last), "hold"))
    changes: list[Change] = []
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS)
        cache.add_handler(changes.append)
        await eventually(lambda: len(changes) == 2)
    metadata = {"name": "a", "namespace": "shop", "uid": "a", "resourceVersion": "7"}
    assert (changes[1].type, changes[1].object) == (
        "DELETED",
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata},
    )
    assert (changes[1].old or {})["metadata"]["resourceVersion"] == "1"


async def test_a_transform_decides_what_is_kept(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream(a_list("a"), "hold"))
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS, transform=lambda found: {"metadata": found["metadata"], "own": True})
        await asyncio.wait_for(cache.wait_synced(), 5)
        assert cache.items()[0]["own"]


async def test_a_late_handler_hears_of_what_is_here(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream(a_list("b", "a"), "hold"))
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS)
        await asyncio.wait_for(caches.wait_synced(), 5)
        told: list[str] = []
        cache.add_handler(lambda change: told.append(change.type + change.object["metadata"]["name"]))
        assert (told, caches.all_synced) == (["ADDEDa", "ADDEDb"], True)


async def test_equal_questions_share_a_cache_until_the_last_user_closes_it(
    server: FakeApiServer, client: KubeClient
) -> None:
    server.play(afterwards=Stream(a_list("a"), "hold"))
    async with Caches(client, patience=QUICK) as caches:
        first, second = (caches.open(CONFIG_MAPS, label_selector="app=x") for _ in range(2))
        other = caches.open(CONFIG_MAPS, label_selector="app=y")
        caches.close(first)
        await asyncio.wait_for(second.wait_synced(), 5)
        caches.close(second)
        third = caches.open(CONFIG_MAPS, label_selector="app=x")
        assert (first is second, first is other, first is third) == (True, False, False)


async def test_a_streaming_list_that_never_completes_is_given_up(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream((an_event("ADDED", "a", 1),), "hold"))
    server.play(Reply({"metadata": {"resourceVersion": "5"}, "items": [an_object("a", 1)]}))
    async with Caches(client, patience=Patience(QUICK.reconnect, initial_s=0.05)) as caches:
        cache = caches.open(CONFIG_MAPS)
        await asyncio.wait_for(cache.wait_synced(), 5)
    assert [request.query.get("sendInitialEvents") for request in server.requests[:2]] == ["true", None]


async def test_a_problem_is_told_until_the_watch_goes_on(server: FakeApiServer, client: KubeClient) -> None:
    refusal = Reply(status_of(403, "Forbidden", "configmaps is forbidden"), 403)
    server.play(Stream(a_list("a"), "cut"), refusal, refusal, Stream((), "hold"))
    problems: list[str] = []

    def is_watched_again() -> bool:
        problems.append(cache.last_problem)
        return len(server.requests) == 4 and not cache.last_problem

    async with running(client) as (cache, _):
        await eventually(is_watched_again)
        assert (cache.version, cache.is_synced) == ("5", True)
    assert "configmaps is forbidden" in problems


async def test_the_version_is_that_of_the_last_event_or_bookmark(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream((*a_list("a"), an_event("ADDED", "b", 7), a_bookmark(9), gone())))
    seen = []
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS)
        assert cache.version == ""
        cache.add_handler(lambda _: seen.append(cache.version))
        await eventually(lambda: len(server.requests) == 2)
        assert (seen, cache.version) == (["", "7"], "9")


async def test_nothing_that_one_object_is_ends_the_cache(server: FakeApiServer, client: KubeClient) -> None:
    odd: list[dict[str, Any]] = [{"metadata": ["x"]}, {"metadata": {"name": ["x"]}}, {"metadata": {"annotations": [1]}}]
    unversioned = {"type": "ADDED", "object": {"metadata": {"name": "b", "namespace": "shop"}}}
    events = [{"type": "ADDED", "object": item} for item in odd]
    events += [{"type": "MODIFIED"}, {"type": "BOOKMARK", "object": {}}, unversioned, unversioned]
    server.play(Stream((*events, *a_list("a"), *events, an_event("ADDED", "c", 7)), "hold"))
    async with running(client) as (cache, _):
        await eventually(lambda: cache.get("c", "shop"))
        assert ([item["metadata"]["name"] for item in cache.items()], cache.version) == (["a", "b", "c"], "7")
    assert len(server.requests) == 1


async def test_an_odd_object_in_a_page_is_left_out(server: FakeApiServer, client: KubeClient) -> None:
    page = {"metadata": {"resourceVersion": "5"}, "items": [None, {"metadata": "x"}, an_object("a", 1)]}
    server.play(INVALID, Reply(page), Stream((), "hold"))
    async with running(client) as (cache, _):
        await asyncio.wait_for(cache.wait_synced(), 5)
        assert [item["metadata"]["name"] for item in cache.items()] == ["a"]


async def test_a_handler_that_fails_is_logged_once_and_keeps_nobody_from_hearing(
    server: FakeApiServer, client: KubeClient
) -> None:
    def fail(_: Change) -> None:
        raise KeyError("spec")

    server.play(Stream(a_list("a", "b", "c"), "hold"))
    told: list[str] = []
    with capture_logs() as lines:
        async with Caches(client, patience=QUICK) as caches:
            cache = caches.open(CONFIG_MAPS)
            cache.add_handler(fail)
            cache.add_handler(lambda change: told.append(change.object["metadata"]["name"]))
            await asyncio.wait_for(cache.wait_synced(), 5)
    assert told == ["a", "b", "c"]
    assert [(line["event"], line["query"], line["object"]) for line in lines] == [("handler failed", "configmaps", "a")]


async def test_a_handler_without_replay_hears_only_of_what_comes(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream(a_list("a"), "cut"), Stream((an_event("ADDED", "b", 7),), "hold"))
    told: list[str] = []
    async with Caches(client, patience=QUICK) as caches:
        cache = caches.open(CONFIG_MAPS)
        await asyncio.wait_for(cache.wait_synced(), 5)
        cache.add_handler(lambda change: told.append(change.object["metadata"]["name"]), replay=False)
        await eventually(lambda: told)
    assert told == ["b"]


async def test_a_watch_does_not_speak_in_the_name_of_who_opened_it(server: FakeApiServer, client: KubeClient) -> None:
    server.play(Stream(a_list("a"), "hold"))
    found = []
    async with Caches(client, patience=QUICK) as caches:
        with bound_contextvars(name="till"):
            cache = caches.open(CONFIG_MAPS)
        cache.add_handler(lambda _: found.append(get_contextvars()))
        await asyncio.wait_for(cache.wait_synced(), 5)
    assert found == [{}]
