"""`olm explain NAME` against a running OLM: what it says is what the cluster does, and its advice works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, running_world
from tests.olm_command import Said, olm_process


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator in versions 1.0.0 to 1.2.0, each replacing the one before; 1.0.0 is installed."""
    made = Operator(world).prepare()
    made.publish({version: bundle_of(made.name, version) for version in ("1.0.0", "1.1.0", "1.2.0")})
    made.install(version="1.0.0")
    made.wait_installed("1.0.0")
    yield made
    made.delete()
    made.forget()


def explained(cluster: Cluster, *arguments: str) -> Said:
    options = ("--catalogd-cas-dir", str(cluster.authority_dir), "-o", "json")
    return olm_process("explain", *arguments, *options, env={"KUBECONFIG": str(cluster.kubeconfig)})


def _refusal(operator: Operator) -> dict[str, Any] | None:
    status = (operator.kubectl.get("clusterextension", operator.name) or {}).get("status") or {}
    conditions = status.get("conditions") or ()
    return next((item for item in conditions if (item["type"], item["reason"]) == ("Progressing", "Retrying")), None)


def test_advice_of_explain_brings_a_refused_upgrade_to_its_end(olm: Cluster, operator: Operator) -> None:
    foretold = explained(olm, operator.name, "--version", "1.2.0")
    operator.install(version="1.2.0")
    message = wait_for(lambda: _refusal(operator), "the upgrade to be refused")["message"]
    said = explained(olm, operator.name)
    assert (said.code, said.json["decision"]["message"], said.json["cause"]["kind"]) == (1, message, "NoEdge")
    assert said.json["route"] == foretold.json["route"]
    assert [step["pin"] for step in said.json["route"]["steps"]] == ["1.1.0", "1.2.0"]
    operator.install(version=said.json["route"]["byItself"])
    operator.wait_installed("1.2.0")
    assert explained(olm, operator.name).json["decision"]["isInstalled"] is True


def test_explain_sees_what_the_extension_selects(olm: Cluster, operator: Operator) -> None:
    operator.install(version="1.0.0", selector={"matchLabels": {"nobody": "has"}})
    said = explained(olm, operator.name)
    assert (said.code, said.json["cause"]["kind"]) == (1, "NoCatalogSelected")
    assert {"excluded by selector"} == {each["state"] for each in said.json["catalogs"]}
    assert said.json["request"]["installed"]["version"] == "1.0.0"
