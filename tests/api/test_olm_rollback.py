"""`olm rollback` against a running OLM: what it foretells comes true, what it refuses the controller would refuse."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map, crd, running_world
from tests.olm_command import Said, olm_process

V1, V2 = "1.0.0", "1.1.0"


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator of whose CRD the second version has one more field; that version is installed after the first."""
    made = Operator(world).prepare()
    made.publish({V1: lamps_bundle(made.name, V1), V2: lamps_bundle(made.name, V2, "color")})
    made.install(version=V1)
    made.wait_installed(V1)
    made.install(version="1.x")
    made.wait_installed(V2)
    yield made
    made.delete()
    made.forget()


def lamps_bundle(name: str, version: str, *fields: str) -> dict[str, bytes]:
    definition = crd("lamps", f"{name}.example.com")
    spec = {"type": "object", "properties": {field: {"type": "string"} for field in ("size", *fields)}}
    schema = {"type": "object", "properties": {"spec": spec}}
    definition["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": schema}
    files = bundle_of(name, version, crds=["lamps"])
    return {**files, "manifests/001.yaml": json.dumps(definition).encode()}


def rolled_back(cluster: Cluster, *arguments: str) -> Said:
    trust = ("--catalogd-cas-dir", str(cluster.authority_dir), "--pull-cas-dir", str(cluster.authority_dir))
    return olm_process("rollback", *arguments, *trust, "-o", "json", env={"KUBECONFIG": str(cluster.kubeconfig)})


def wanted(operator: Operator) -> dict[str, Any]:
    found = operator.kubectl.get("clusterextension", operator.name) or {}
    asked: dict[str, Any] = found["spec"]["source"]["catalog"]
    return asked


def test_rollback_goes_to_the_bundle_before_and_tells_the_way_back(olm: Cluster, operator: Operator) -> None:
    before = wanted(operator)
    foretold = rolled_back(olm, operator.name, "--dry-run")
    assert (foretold.code, foretold.json["changed"], wanted(operator)) == (0, False, before)
    assert foretold.json["change"] == [
        {"field": "version", "before": "1.x", "after": V1},
        {"field": "upgradeConstraintPolicy", "before": "CatalogProvided", "after": "SelfCertified"},
    ]
    done = rolled_back(olm, operator.name, "--yes")
    assert (done.code, done.json) == (0, {**foretold.json, "changed": True})
    installed = operator.wait_installed(V1)
    assert installed["status"]["install"]["bundle"]["name"] == done.json["resolved"]["bundle"]
    patch = json.dumps(done.json["back"]["patch"])
    operator.kubectl.run("patch", "clusterextension", operator.name, "--type=merge", f"--patch={patch}")
    assert (wanted(operator), done.json["back"]["bundle"]) == (before, f"{operator.name}.v{V2}")
    operator.wait_installed(V2)


def test_rollback_that_loses_data_waits_until_that_is_accepted(olm: Cluster, operator: Operator) -> None:
    kind = f"lamps.{operator.name}.example.com"
    lamp = {"apiVersion": f"{operator.name}.example.com/v1", "kind": "Lamp", "spec": {"color": "green"}}
    operator.kubectl.apply({**lamp, "metadata": {"name": "desk", "namespace": operator.namespace}})
    refused = rolled_back(olm, operator.name, "--yes")
    assert (refused.code, refused.json["changed"], wanted(operator)["version"]) == (1, False, "1.x")
    [hold] = refused.json["holds"]
    finding = f"{kind}:existingFieldRemoval:v1:^.spec.color"
    lost = f"1 object would lose data: {operator.namespace}/desk"
    assert hold["message"].startswith(
        f'validating upgrade for CRD "{kind}": existingFieldRemoval: removed field : v1.^.spec.color ({lost})\n'
    )
    kubectl, *words = shlex.split(hold["remedies"][-1])
    assert (kubectl, words[-1]) == ("kubectl", f"extras.olm.operatorframework.io/crd-accept={finding}")
    operator.kubectl.run(*words)
    assert rolled_back(olm, operator.name, "--yes").code == 0
    operator.wait_installed(V1)
    operator.kubectl.delete(kind, "desk", operator.namespace)


def test_rollback_gives_an_upgrade_up_that_does_not_end(olm: Cluster, world: World) -> None:
    operator = Operator(world).prepare()
    taken = config_map("taken", operator.namespace)
    operator.kubectl.apply(taken)
    operator.publish({V1: bundle_of(operator.name, V1), V2: bundle_of(operator.name, V2, taken)})
    operator.install(version=V1)
    operator.wait_installed(V1)
    operator.install(version="1.x")
    operator.wait("Progressing", status="True", reason="Retrying")
    said = rolled_back(olm, operator.name, "--yes")
    assert (said.code, said.json["target"]["version"]) == (0, V1)
    assert said.json["change"] == [{"field": "version", "before": "1.x", "after": V1}]
    operator.wait_installed(V1)
    wait_for(lambda: operator.lifecycle().get(f"{operator.name}-2") == "Archived", "the upgrade to be given up")
    operator.delete()
    operator.forget()


def test_rollback_of_a_first_install_says_what_is_missing(olm: Cluster, world: World) -> None:
    operator = Operator(world).prepare()
    operator.publish({V1: bundle_of(operator.name, V1)})
    operator.install()
    operator.wait_installed(V1)
    said = rolled_back(olm, operator.name)
    assert (said.code, said.out) == (1, "")
    assert said.err.endswith(
        f'error: ClusterExtension "{operator.name}" has no revision with another bundle that succeeded before '
        f'"{operator.name}.v{V1}": name the version to go to with --to VERSION\n'
    )
    asked = rolled_back(olm, operator.name, "--to", "9.0.0", "--yes")
    assert (asked.code, asked.json["holds"][0]["about"]) == (1, "resolution")
    operator.delete()
    operator.forget()
