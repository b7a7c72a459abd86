"""Counting when the API server is in an unusual state; the usual is tested in tests/api."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS
from operator_controller.reconcilers import losses
from operator_controller.reconcilers.definitions import DefinitionChecks
from operator_controller.reconcilers.losses import Losses
from operator_controller.uninstall import Loss
from tests.definitions import LAMPS, a_definition, a_lamp, a_version
from tests.fake_apiserver import FakeApiServer, Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache

OWNERS = frozenset({"uid-1"})
OWNED = [{"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "uid-1", "controller": True}]
GONE = Reply(status_of(404, "NotFound", "gone"), 404)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[FakeApiServer]:
    async with fake_apiserver(tmp_path) as fake:
        yield fake


def lamps(*names: str, token: str = "", owners: Sequence[Any] = ()) -> Reply:
    """A page of lamps."""
    items = [a_lamp(name) for name in names]
    owned = [{**item, "metadata": {**item["metadata"], "ownerReferences": list(owners)}} for item in items]
    metadata = {"resourceVersion": "7", "continue": token}
    return Reply({"kind": "PartialObjectMetadataList", "metadata": metadata, "items": owned})


def defined(definition: dict[str, Any] | None = None, owners: Sequence[Any] = tuple(OWNED)) -> dict[str, Any]:
    made = a_definition() if definition is None else definition
    return {**made, "metadata": {**made["metadata"], "ownerReferences": list(owners)}}


async def counted(server: FakeApiServer, *replies: Reply) -> tuple[Loss, ...]:
    """What is found of the lamps when the API server answers like this."""
    server.play(*replies)
    definitions = FedCache(CUSTOM_RESOURCE_DEFINITIONS)
    definitions.put(defined())
    async with await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client:
        return await Losses(client, DefinitionChecks(client, definitions)).of(OWNERS)


@pytest.mark.parametrize(
    ("replies", "found"),
    [
        pytest.param([GONE], (), id="definition gone meanwhile"),
        pytest.param([Reply(defined(owners=()))], (), id="definition let go meanwhile"),
        pytest.param([Reply(defined()), GONE], (Loss(LAMPS, "Lamp"),), id="kind not served"),
        pytest.param([Reply(defined()), lamps()], (Loss(LAMPS, "Lamp"),), id="no objects"),
        pytest.param(
            [Reply(defined()), lamps("a", token="t"), lamps("b", "c")],
            (Loss(LAMPS, "Lamp", 3, ("shop/a", "shop/b", "shop/c")),),
            id="two pages",
        ),
        pytest.param(
            [Reply(defined()), lamps(*"abcdefg")],
            (Loss(LAMPS, "Lamp", 7, ("shop/a", "shop/b", "shop/c", "shop/d", "shop/e")),),
            id="more than are named",
        ),
        pytest.param(
            [Reply(defined()), lamps("a", owners=OWNED)], (Loss(LAMPS, "Lamp"),), id="brought by the extension"
        ),
        pytest.param(
            [Reply(defined()), Reply(status_of(403, "Forbidden", "webhook is down"), 403)],
            (Loss(LAMPS, "Lamp", problem="webhook is down"),),
            id="objects not readable",
        ),
        pytest.param(
            [Reply(defined(a_definition(a_version(served=False))))],
            (Loss(LAMPS, "Lamp", problem="no version is served"),),
            id="no version served",
        ),
    ],
)
async def test_what_is_found(server: FakeApiServer, replies: list[Reply], found: tuple[Loss, ...]) -> None:
    assert await counted(server, *replies) == found


async def test_counting_ends_where_nobody_wants_to_know(server: FakeApiServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(losses, "_MOST_OBJECTS", 3)
    found = await counted(server, Reply(defined()), lamps("a", "b", token="t"), lamps("c", "d", token="t"))
    assert found == (Loss(LAMPS, "Lamp", 3, ("shop/a", "shop/b", "shop/c", "shop/d"), is_complete=False),)
    assert len(server.requests) == 3


async def test_definition_that_cannot_be_read_is_an_error(server: FakeApiServer) -> None:
    with pytest.raises(RetryableError, match=r"^no$"):
        await counted(server, Reply(status_of(403, "Forbidden", "no"), 403))
