"""CRDs that change under stored objects: what would lose data is held, named, and goes through when it is accepted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import Operator, bundle_of, crd

ACCEPT = "extras.olm.operatorframework.io/crd-accept"


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """1.1.0 knows one field more than 1.0.0, and 1.2.0 does not know the kind any more."""
    made = Operator(world).prepare()
    versions = {
        "1.0.0": with_fields(made, "1.0.0", "size"),
        "1.1.0": with_fields(made, "1.1.0", "size", "glow"),
        "1.2.0": bundle_of(made.name, "1.2.0"),
    }
    made.publish(versions)
    made.install(version="1.1.0")
    made.wait_installed("1.1.0")
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def with_fields(operator: Operator, version: str, *fields: str) -> dict[str, bytes]:
    """The bundle of a version whose CRD knows these text fields of the specification, and no others."""
    files = dict(bundle_of(operator.name, version, crds=["things"]))
    definition = crd("things", f"{operator.name}.example.com")
    known = {"type": "object", "properties": {name: {"type": "string"} for name in fields}}
    schema = {"type": "object", "properties": {"spec": known}}
    definition["spec"]["versions"][0]["schema"] = {"openAPIV3Schema": schema}
    return {**files, "manifests/001.yaml": json.dumps(definition).encode()}


def store(operator: Operator, **spec: str) -> None:
    metadata = {"name": "mine", "namespace": operator.namespace}
    operator.kubectl.apply(
        {"apiVersion": f"{operator.name}.example.com/v1", "kind": "Thing", "metadata": metadata, "spec": spec}
    )


def stored(operator: Operator) -> dict[str, Any] | None:
    return operator.kubectl.get(f"things.{operator.name}.example.com", "mine", operator.namespace)


def roll_back(operator: Operator, version: str) -> None:
    operator.world.ask_for(operator.name, version=version, upgradeConstraintPolicy="SelfCertified")


def test_rollback_over_a_field_in_use_is_held_until_it_is_accepted(world: World, operator: Operator) -> None:
    store(operator, size="small", glow="bright")
    roll_back(operator, "1.0.0")
    said = str(operator.wait("Progressing", status="True", reason="Retrying")["message"])
    assert f'error for resolved bundle "{operator.name}.v1.0.0" with version "1.0.0": ' in said
    assert "glow" in said
    assert f"(1 object would lose data: {operator.namespace}/mine)" in said
    operator.wait("Installed", status="True", reason="Succeeded")
    finding = f"things.{operator.name}.example.com:existingFieldRemoval:v1:^.spec.glow"
    world.kubectl.run("annotate", "clusterextension", operator.name, f"{ACCEPT}={finding}")
    operator.wait_installed("1.0.0")


def test_rollback_over_a_field_that_nobody_uses_goes_through(operator: Operator) -> None:
    store(operator, size="small")
    roll_back(operator, "1.0.0")
    operator.wait_installed("1.0.0")
    assert (stored(operator) or {})["spec"] == {"size": "small"}


def test_kind_with_objects_does_not_vanish(world: World, operator: Operator) -> None:
    store(operator, size="small")
    operator.install(version="1.2.0")
    said = str(operator.wait("Progressing", status="True", reason="Retrying")["message"])
    assert f"things.{operator.name}.example.com" in said
    assert stored(operator) is not None
    world.kubectl.delete(f"things.{operator.name}.example.com", "mine", operator.namespace)
    world.kubectl.run("annotate", "clusterextension", operator.name, "example.com/look=again")
    operator.wait_installed("1.2.0")
    name = f"things.{operator.name}.example.com"
    wait_for(lambda: world.kubectl.get("crd", name) is None, "the definition to be gone")
