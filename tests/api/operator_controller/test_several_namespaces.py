"""Objects of one extension in several namespaces: owned, repaired and taken down everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import PREFIX, Operator, bundle_of


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    made = Operator(world).prepare()
    for namespace in watched(made):
        world.cluster.ensure_namespace(namespace)
    made.publish({"1.0.0": watching(made), "1.1.0": watching(made, "1.1.0")})
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def watched(operator: Operator) -> tuple[str, str]:
    return f"{operator.name}-first", f"{operator.name}-second"


def watching(operator: Operator, version: str = "1.0.0") -> dict[str, bytes]:
    """A bundle that watches one namespace, with rights in it."""
    files = dict(bundle_of(operator.name, version))
    csv = json.loads(files["manifests/000.yaml"])
    rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list"]}]
    csv["spec"]["installModes"] = [{"type": "SingleNamespace", "supported": True}]
    csv["spec"]["install"]["spec"]["permissions"] = [{"serviceAccountName": f"{operator.name}-runner", "rules": rules}]
    return {**files, "manifests/000.yaml": json.dumps(csv).encode()}


def bindings(operator: Operator, namespace: str) -> list[Mapping[str, Any]]:
    """What the extension has in the namespace."""
    selector = f"{PREFIX}/owner-name={operator.name}"
    kubectl = operator.kubectl
    return [
        *kubectl.items("roles", namespace, selector=selector),
        *kubectl.items("rolebindings", namespace, selector=selector),
    ]


def test_objects_in_another_namespace_are_repaired_moved_and_taken_down(world: World, operator: Operator) -> None:
    first, second = watched(operator)
    operator.install(version="1.0.0", config={"watchNamespace": first})
    operator.wait_installed("1.0.0")
    made = bindings(operator, first)
    assert sorted(item["kind"] for item in made) == ["Role", "RoleBinding"]
    owners = {item["metadata"]["ownerReferences"][0]["name"] for item in made}
    assert owners == {f"{operator.name}-1"}
    for item in made:
        world.kubectl.delete(item["kind"].lower(), item["metadata"]["name"], first)
    wait_for(lambda: len(bindings(operator, first)) == 2, "role and binding to be back")
    operator.install(version="1.1.0", config={"watchNamespace": second})
    operator.wait_installed("1.1.0")
    wait_for(lambda: (len(bindings(operator, first)), len(bindings(operator, second))) == (0, 2), "the rights to move")
    operator.delete()
    wait_for(lambda: bindings(operator, second) == [], "nothing to be left in the watched namespace")
