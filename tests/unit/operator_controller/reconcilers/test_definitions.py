"""Comparing definitions when the API server is in an unusual state; the usual is tested in tests/api."""

from __future__ import annotations

from pathlib import Path

import pytest

from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS
from operator_controller.crd_safety import accepted_of
from operator_controller.reconcilers.definitions import DefinitionChecks
from tests.definitions import LAMPS, a_definition
from tests.fake_apiserver import Reply, fake_apiserver, status_of
from tests.fed_cache import FedCache


async def verdicts(tmp_path: Path, reply: Reply) -> tuple[object, ...]:
    """What is said about a definition that the watch knows when the API server answers like this."""
    definitions = FedCache(CUSTOM_RESOURCE_DEFINITIONS)
    definitions.put(a_definition())
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        server.play(reply)
        checks = DefinitionChecks(client, definitions)
        return await checks.verdicts("lantern", [a_definition()], "Strict", accepted_of(""))


async def test_definition_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(RetryableError) as raised:
        await verdicts(tmp_path, Reply(status_of(403, "Forbidden", "no"), 403))
    assert str(raised.value) == f'getting existing resource for CRD "{LAMPS}": no'


async def test_definition_that_went_meanwhile_has_no_verdict(tmp_path: Path) -> None:
    assert await verdicts(tmp_path, Reply(status_of(404, "NotFound", "gone"), 404)) == ()
