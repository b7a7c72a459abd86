from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from olm_cli.crd_checking.checking import Result
from olm_cli.crd_checking.upgrade import upgrade_checks
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.kube.client import KubeClient
from tests.builders import an_extension
from tests.definitions import LAMPS, a_definition, a_lamp
from tests.fake_apiserver import Reply, fake_apiserver

REVISION = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "uid-1", "controller": True}


async def checked(tmp_path: Path, owners: Sequence[Mapping[str, Any]]) -> dict[str, Result]:
    """What becomes of a definition with these owners that the next bundle does not have; one object is stored."""
    definition = a_definition()
    definition["metadata"]["ownerReferences"] = owners
    async with (
        fake_apiserver(tmp_path) as server,
        await KubeClient.connect(server.kubeconfig, user_agent="test/1") as client,
    ):
        definitions, lamps = ({"metadata": {}, "items": [item]} for item in (definition, a_lamp("one")))
        server.play(Reply(definitions), Reply(lamps))
        found = await upgrade_checks(client, ClusterExtension.parse(an_extension()), ())
    return {each.verdict.crd: each.result for each in found}


@pytest.mark.parametrize(
    ("owners", "results"),
    [
        pytest.param([REVISION], {LAMPS: Result.BLOCKED}, id="of a revision: it goes with its objects"),
        pytest.param([], {}, id="of nobody: it stays"),
    ],
)
async def test_definitions_that_the_bundle_lacks_count_when_they_would_go(
    tmp_path: Path, owners: Sequence[Mapping[str, Any]], results: Mapping[str, Result]
) -> None:
    assert await checked(tmp_path, owners) == results
