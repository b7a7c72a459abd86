"""`extras.olm.operatorframework.io/adopt: IfUnowned`: objects that nobody owns become part of an extension."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from e2e.world import World
from tests.api.operators import Operator, bundle_of, config_map

ADOPT = "extras.olm.operatorframework.io/adopt"


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator with a ConfigMap that exists already; its extension goes after the test."""
    made = Operator(world)
    note = config_map(f"{made.name}-note", who="bundle")
    made.prepare().publish({"1.0.0": bundle_of(made.name, "1.0.0", note)})
    made.kubectl.apply(config_map(f"{made.name}-note", made.namespace, who="person", more="kept"))
    yield made
    made.delete()
    made.forget()


def owners(operator: Operator) -> list[str]:
    return [item["name"] for item in note(operator)["metadata"].get("ownerReferences") or ()]


def note(operator: Operator) -> dict[str, Any]:
    return operator.kubectl.get("configmap", f"{operator.name}-note", operator.namespace) or {}


def allow(operator: Operator) -> None:
    operator.kubectl.run("annotate", "clusterextension", operator.name, f"{ADOPT}=IfUnowned")


def test_collision_names_the_command_that_solves_it(operator: Operator) -> None:
    operator.install()
    command = f"kubectl annotate clusterextension {operator.name} {ADOPT}=IfUnowned"
    advice = f"No controller holds the object: to let the extension take it over, run: {command}"

    found = operator.wait_set(1, "Progressing", status="True", reason="Retrying")["message"]
    assert advice in found.splitlines()
    assert (note(operator)["data"]["who"], owners(operator)) == ("person", [])
    operator.kubectl.run(*command.split()[1:])
    operator.wait_installed("1.0.0")
    assert (note(operator)["data"], owners(operator)) == ({"who": "bundle", "more": "kept"}, [f"{operator.name}-2"])


def test_extension_that_has_succeeded_is_not_rolled_out_again_for_the_annotation(operator: Operator) -> None:
    operator.kubectl.delete("configmap", f"{operator.name}-note", operator.namespace)
    operator.install()
    operator.wait_installed("1.0.0")
    allow(operator)
    operator.kubectl.run("annotate", "clusterextension", operator.name, "example.com/seen=1")
    operator.wait_installed("1.0.0")
    assert [item["metadata"]["name"] for item in operator.sets()] == [f"{operator.name}-1"]


def test_orphans_of_an_extension_are_taken_back_by_the_next(operator: Operator) -> None:
    operator.kubectl.delete("configmap", f"{operator.name}-note", operator.namespace)
    operator.install()
    operator.wait_installed("1.0.0")
    uid = note(operator)["metadata"]["uid"]
    orphaning = "extras.olm.operatorframework.io/on-delete=Orphan"
    operator.kubectl.run("annotate", "clusterextension", operator.name, orphaning)
    operator.kubectl.delete("clusterextension", operator.name)
    assert (note(operator)["metadata"]["uid"], owners(operator)) == (uid, [])
    manifest = operator.manifest()
    manifest["metadata"]["annotations"] = {ADOPT: "IfUnowned"}
    operator.kubectl.apply(manifest)
    operator.wait_installed("1.0.0")
    assert (note(operator)["metadata"]["uid"], owners(operator)) == (uid, [f"{operator.name}-1"])
