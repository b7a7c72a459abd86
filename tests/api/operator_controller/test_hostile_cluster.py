"""Extensions in a cluster that others change under them: it is told, healed where that is possible, and undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import CONFIRM_DELETE_CRDS, PREFIX, Operator, bundle_of, config_map, down


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    """Two versions, of which the second drops an object."""
    kept = config_map(f"{name}-kept")
    return {
        "1.0.0": bundle_of(name, "1.0.0", kept, config_map(f"{name}-dropped"), crds=["things"]),
        "1.1.0": bundle_of(name, "1.1.0", kept, crds=["things"]),
    }


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator whose version 1.0.0 is installed; its extension is gone without a trace after the test."""
    made = Operator(world)
    made.prepare().publish(bundles(made.name))
    made.install(version="1.0.0")
    made.wait_installed("1.0.0")
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def definition(operator: Operator) -> str:
    """The CRD that the operator brings, which is the resource of its kind too."""
    return f"things.{operator.name}.example.com"


def thing(operator: Operator, **metadata: Any) -> dict[str, Any]:
    """An object of the kind that the operator brings."""
    named = {"name": "mine", "namespace": operator.namespace, **metadata}
    return {"apiVersion": f"{operator.name}.example.com/v1", "kind": "Thing", "metadata": named}


def test_extension_without_a_spec_is_blocked_and_disturbs_nobody(world: World, operator: Operator) -> None:
    manifest = {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterExtension", "metadata": {"name": "empty"}}
    world.kubectl.apply(manifest)
    operator.wait("Progressing", name="empty", status="False", reason="Blocked")
    operator.install()
    operator.wait_installed("1.1.0")
    world.kubectl.delete("clusterextension", "empty")


def test_extension_keeps_the_definition_that_it_brings(world: World, operator: Operator) -> None:
    world.kubectl.apply(thing(operator))
    world.kubectl.delete("crd", definition(operator))
    text = json.dumps(thing(operator)).encode()
    wait_for(lambda: world.kubectl.attempt("create", "-f", "-", stdin=text).returncode == 0, "the CRD to be back")
    operator.wait("Available", status="True")


def test_extension_heals_when_its_namespace_is_back(world: World, operator: Operator) -> None:
    world.kubectl.delete("namespace", operator.namespace)
    text = (
        "operation cannot proceed due to the following validation error(s): "
        f'service account "installer" not found in namespace "{operator.namespace}"'
    )
    operator.wait("Progressing", status="True", reason="Retrying", message=text)
    operator.prepare()
    operator.wait_installed("1.0.0")
    found = world.kubectl.get("deployment", f"{operator.name}-controller", operator.namespace)
    assert (found or {})["status"]["readyReplicas"] == 1


def test_deletion_waits_for_a_custom_resource_that_hangs(world: World, operator: Operator) -> None:
    world.kubectl.apply(thing(operator, finalizers=["example.com/held"]))
    world.kubectl.run("annotate", "clusterextension", operator.name, f"{CONFIRM_DELETE_CRDS}=true")
    world.kubectl.delete("clusterextension", operator.name, wait=False)

    def is_leaving() -> bool:
        return (
            "deletionTimestamp" in (world.kubectl.get("crd", f"things.{operator.name}.example.com") or {})["metadata"]
        )

    wait_for(is_leaving, "the CRD to be on its way out")
    assert world.extension(operator.name) is not None
    resource = f"things.{operator.name}.example.com"
    world.patch(resource, "mine", {"metadata": {"finalizers": None}}, operator.namespace)
    wait_for(lambda: world.extension(operator.name) is None, "the extension to be gone")


def test_upgrade_and_removal_do_without_the_secret_of_the_old_revision(world: World, operator: Operator) -> None:
    (secret,) = operator.secrets()
    with down(world.components.operator_controller):
        world.kubectl.delete("secret", secret["metadata"]["name"], "olmv1-system")
    operator.install()
    operator.wait_installed("1.1.0")
    wait_for(lambda: _dropped(operator) is None, "the object that 1.1.0 has no more to be gone")


def test_lost_secret_of_the_installed_revision_is_replaced(world: World, operator: Operator) -> None:
    (secret,) = operator.secrets()
    before = world.kubectl.get("crd", definition(operator)) or {}
    with down(world.components.operator_controller):
        world.kubectl.delete("secret", secret["metadata"]["name"], "olmv1-system")
    wait_for(lambda: operator.lifecycle().get(f"{operator.name}-2") == "Active", "a revision with content")
    operator.wait_installed("1.0.0")
    after = world.kubectl.get("crd", definition(operator)) or {}
    assert after["metadata"]["uid"] == before["metadata"]["uid"]


def test_foreign_set_with_the_label_of_an_extension_breaks_nothing(world: World, operator: Operator) -> None:
    before = world.kubectl.get("crd", definition(operator)) or {}
    labels = {f"{PREFIX}/owner-name": operator.name, f"{PREFIX}/owner-kind": "ClusterExtension"}
    account = {"service-account-namespace": operator.namespace, "service-account-name": "installer"}
    annotations = {f"{PREFIX}/{key}": value for key, value in account.items()}
    metadata = {"name": "stranger", "labels": labels, "annotations": annotations}
    spec = {"lifecycleState": "Active", "revision": 7, "collisionProtection": "Prevent", "phases": []}
    world.kubectl.apply({"apiVersion": f"{PREFIX}/v1", "kind": "ClusterObjectSet", "metadata": metadata, "spec": spec})
    operator.wait("Progressing", resource="clusterobjectset", name="stranger")
    operator.install(version="1.1.0")
    operator.wait_installed("1.1.0")
    after = world.kubectl.get("crd", definition(operator)) or {}
    world.kubectl.delete("clusterobjectset", "stranger")
    assert after["metadata"]["uid"] == before["metadata"]["uid"]


def test_revision_that_lost_its_label_is_found_again(world: World, operator: Operator) -> None:
    name = f"{operator.name}-1"
    world.kubectl.run("label", "clusterobjectset", name, f"{PREFIX}/owner-name-", f"{PREFIX}/owner-kind-")
    mark = world.cluster.audit.position()
    operator.install()
    operator.wait_installed("1.1.0")
    requests = world.cluster.audit.requests(user="operator-controller", since=mark)
    assert len([item for item in requests if item.is_write and item.code >= 400]) < 10


def test_second_extension_of_a_package_collides_and_succeeds_the_first(world: World, operator: Operator) -> None:
    other = Operator(world)
    other.prepare()
    manifest = other.manifest(version="1.0.0")
    manifest["spec"]["source"]["catalog"]["packageName"] = operator.name
    world.kubectl.apply(manifest)
    managed = f'CustomResourceDefinition "{definition(operator)}" is managed by ClusterExtension "{operator.name}"'
    said = operator.wait("Progressing", name=other.name, status="False", reason="Blocked")
    assert managed in str(said["message"])
    operator.wait("Available", status="True")
    operator.delete()
    other.wait_installed("1.0.0")
    other.delete()
    other.wait_nothing_left()
    other.forget()


def test_unreachable_catalog_is_told_in_words_and_found_again(world: World) -> None:
    operator = Operator(world)
    operator.prepare().publish(bundles(operator.name))
    name = operator.name
    with down(world.components.catalogd):
        operator.install()
        message = str(operator.wait("Progressing", status="True", reason="Retrying")["message"])
    text = f'error getting package "{name}" from catalog "{name}": error retrieving cache for catalog "{name}"'
    assert text in message
    assert " object at 0x" not in message
    operator.wait_installed("1.1.0")
    operator.delete()
    operator.wait_nothing_left()
    operator.forget()


def test_bundle_of_three_hundred_objects_is_installed_upgraded_and_removed(world: World) -> None:
    operator = Operator(world).prepare()
    many = [config_map(f"{operator.name}-{number:03}", n=str(number)) for number in range(300)]
    files = {"1.0.0": bundle_of(operator.name, "1.0.0", *many), "1.1.0": bundle_of(operator.name, "1.1.0", *many[:120])}
    operator.publish(files)
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    (revision,) = operator.sets()
    sizes = {phase["name"]: len(phase["objects"]) for phase in revision["spec"]["phases"]}
    assert sizes == {"configuration": 50, **{f"configuration-{n}": 50 for n in range(2, 7)}, "deploy": 1}
    operator.install()
    operator.wait_installed("1.1.0")
    operator.wait_torn_down(1)
    selector = f"{PREFIX}/owner-name={operator.name}"
    assert len(world.kubectl.items("configmaps", operator.namespace, selector=selector)) == 120
    operator.delete()
    operator.wait_nothing_left()
    operator.forget()


def _dropped(operator: Operator) -> dict[str, Any] | None:
    return operator.kubectl.get("configmap", f"{operator.name}-dropped", operator.namespace)
