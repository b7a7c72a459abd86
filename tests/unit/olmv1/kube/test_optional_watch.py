"""A kind that is served and cannot be read; the rest is in tests/api."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import Resource
from olmv1.served import Served
from tests.fed_cache import FedCache

TILLS = Resource("shops.example.com", "v1", "tills", "Till", False)


class Serving(Discovery):
    async def served(self) -> Served:
        return Served(kinds=frozenset({(TILLS.group, TILLS.version, TILLS.kind)}))


class Unreadable:
    """Opens caches that get no list."""

    def __init__(self) -> None:
        self.cache = FedCache(TILLS)

    def open(self, *_: Any, **__: Any) -> FedCache:
        return self.cache


async def test_only_who_asks_first_waits_for_a_kind_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    caches, discovery = cast(Caches, Unreadable()), Serving(cast(KubeClient, None))
    watch = OptionalWatch(caches, discovery, TILLS, lambda _: None)
    for patience_s in (0.01, 60.0):
        monkeypatch.setattr("olmv1.kube.optional_watch._PATIENCE_S", patience_s)
        with pytest.raises(RetryableError) as raised:
            async with asyncio.timeout(2):
                await watch.cache()
        assert str(raised.value) == "the tills of the cluster (shops.example.com/v1) cannot be read"
