"""What a crash between two writes leaves behind, made by hand while the controller is away: all of it heals."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import World
from tests.api.operators import PREFIX, Operator, bundle_of, config_map, down

FINALIZERS = [f"{PREFIX}/cleanup-unpack-cache", f"{PREFIX}/cleanup-contentmanager-cache"]
VERSIONS = ("1.0.0", "1.1.0")


def bundles(name: str) -> dict[str, dict[str, bytes]]:
    """Two versions with a Deployment, a CRD and two ConfigMaps, of which the second version drops one."""
    first, second = VERSIONS
    kept, dropped = f"{name}-kept", f"{name}-dropped"
    return {
        first: bundle_of(name, first, config_map(kept, v=first), config_map(dropped), crds=["things"]),
        second: bundle_of(name, second, config_map(kept, v=second), crds=["things"]),
    }


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator whose bundles can be installed; its extension is gone without a trace after the test."""
    made = Operator(world)
    made.prepare().publish(bundles(made.name))
    yield made
    made.delete()
    made.wait_nothing_left()
    made.forget()


def left_behind(obj: Mapping[str, Any], **metadata: Any) -> dict[str, Any]:
    """`obj` as it was written first, without what came later."""
    kept = {
        key: obj["metadata"][key] for key in ("name", "namespace", "labels", "annotations") if key in obj["metadata"]
    }
    return {key: value for key, value in obj.items() if key != "status"} | {"metadata": {**kept, **metadata}}


def owners(secrets: Sequence[Mapping[str, Any]]) -> list[str]:
    return sorted(owner["name"] for item in secrets for owner in item["metadata"].get("ownerReferences", ()))


def strip(operator: Operator, resource: str, name: str, *fields: str, namespace: str = "") -> None:
    """Set fields of the metadata to null."""
    operator.world.patch(resource, name, {"metadata": dict.fromkeys(fields)}, namespace)


def remove_status(operator: Operator, resource: str, name: str) -> None:
    patch = json.dumps({"status": None})
    operator.kubectl.run("patch", resource, name, "--subresource=status", "--type=merge", "-p", patch)


def installed(operator: Operator, version: str = "1.0.0") -> Operator:
    operator.install(version=version)
    operator.wait_installed(version)
    return operator


def upgraded(operator: Operator) -> Operator:
    return installed(installed(operator), "1.1.0")


def test_secret_without_its_revision_becomes_part_of_it(operator: Operator, world: World) -> None:
    (secret,) = installed(operator).secrets()
    operator.delete()
    operator.wait_nothing_left()
    with down(world.components.operator_controller):
        world.kubectl.apply(left_behind(secret))
        (old,) = operator.secrets()
        operator.install(version="1.0.0")
        world.patch("clusterextension", operator.name, {"metadata": {"finalizers": FINALIZERS}})
    operator.wait_installed("1.0.0")
    (found,) = operator.secrets()
    assert found["metadata"]["uid"] == old["metadata"]["uid"]
    wait_for(lambda: owners(operator.secrets()) == [f"{operator.name}-1"], "the Secret to have its owner")


def test_secret_of_an_attempt_with_other_content_goes_with_its_extension(operator: Operator, world: World) -> None:
    operator.install(version="9.9.9")
    operator.wait("Progressing", status="True", reason="Retrying")
    labels = {f"{PREFIX}/owner-name": operator.name, f"{PREFIX}/revision-name": f"{operator.name}-1"}
    metadata = {"name": f"{operator.name}-1-0123456789abcdef", "namespace": "olmv1-system", "labels": labels}
    with down(world.components.operator_controller):
        world.kubectl.apply({"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "immutable": True})
    installed(operator)
    wait_for(lambda: owners(operator.secrets()) == [f"{operator.name}-1"] * 2, "both Secrets to have their owner")


def test_secret_of_a_revision_that_is_gone_is_removed(operator: Operator, world: World) -> None:
    old = installed(operator).secrets()
    installed(operator, "1.1.0")
    with down(world.components.operator_controller):
        strip(operator, "clusterobjectset", f"{operator.name}-1", "finalizers")
        world.kubectl.delete("clusterobjectset", f"{operator.name}-1")
        wait_for(lambda: len(operator.secrets()) == 1, "garbage collection of the Secret")
        world.kubectl.apply(*(left_behind(secret) for secret in old))
    wait_for(lambda: len(operator.secrets()) == 1, "the Secret of revision 1 to be gone")
    assert owners(operator.secrets()) == [f"{operator.name}-2"]


def test_secret_gets_its_owner_back(operator: Operator, world: World) -> None:
    (secret,) = installed(operator).secrets()
    with down(world.components.operator_controller):
        name, namespace = secret["metadata"]["name"], secret["metadata"]["namespace"]
        strip(operator, "secret", name, "ownerReferences", namespace=namespace)
    wait_for(lambda: owners(operator.secrets()) == [f"{operator.name}-1"], "the Secret to have its owner")
    assert operator.lifecycle() == {f"{operator.name}-1": "Active"}


def test_revision_without_finalizer_and_status_is_rolled_out(operator: Operator, world: World) -> None:
    (before,) = installed(operator).sets()
    with down(world.components.operator_controller):
        remove_status(operator, "clusterobjectset", f"{operator.name}-1")
        strip(operator, "clusterobjectset", f"{operator.name}-1", "finalizers")
    operator.wait_installed("1.0.0")
    operator.wait_set(1, "Succeeded", status="True")
    (after,) = operator.sets()
    assert after["metadata"]["finalizers"] == before["metadata"]["finalizers"]
    assert after["metadata"]["uid"] == before["metadata"]["uid"]


def test_lost_status_of_an_extension_is_written_again(operator: Operator, world: World) -> None:
    before = upgraded(operator).wait_installed("1.1.0")["status"]
    with down(world.components.operator_controller):
        remove_status(operator, "clusterextension", operator.name)
    after = operator.wait_installed("1.1.0")["status"]
    assert after["install"] == before["install"]
    assert operator.lifecycle() == {f"{operator.name}-1": "Archived", f"{operator.name}-2": "Active"}


def test_revision_archived_before_its_successor_is_complete_is_taken_down(operator: Operator, world: World) -> None:
    installed(operator)
    controller = world.components.operator_controller
    with down(controller):
        operator.install(version="1.1.0")
        # the new pods wait for a namespace quota, so the successor cannot come up
        hard = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": operator.namespace}}
        world.kubectl.apply({**hard, "spec": {"hard": {"pods": "0"}}})
    operator.wait("Progressing", status="True", reason="RollingOut")
    with down(controller):
        world.patch("clusterobjectset", f"{operator.name}-1", {"spec": {"lifecycleState": "Archived"}})
    operator.wait_set(1, "Progressing", reason="Archived")
    world.kubectl.delete("resourcequota", "q", operator.namespace)
    operator.wait_installed("1.1.0")
    assert world.kubectl.get("configmap", f"{operator.name}-dropped", operator.namespace) is None


def test_half_deleted_extension_is_deleted(operator: Operator, world: World) -> None:
    upgraded(operator)
    with down(world.components.operator_controller):
        world.kubectl.delete("clusterextension", operator.name, wait=False)
        world.kubectl.delete("deployment", f"{operator.name}-controller", operator.namespace)
    wait_for(lambda: world.extension(operator.name) is None, "the extension to be gone")
    operator.wait_nothing_left()


def test_half_deleted_revisions_of_a_deleted_extension_go_too(operator: Operator, world: World) -> None:
    upgraded(operator)
    with down(world.components.operator_controller):
        world.kubectl.delete("clusterobjectset", f"{operator.name}-2", wait=False)
        world.kubectl.delete("crd", f"things.{operator.name}.example.com")
        world.kubectl.delete("clusterextension", operator.name, wait=False)
        strip(operator, "clusterobjectset", f"{operator.name}-1", "finalizers")
    wait_for(lambda: world.extension(operator.name) is None, "the extension to be gone")
    operator.wait_nothing_left()


def test_revisions_of_an_extension_that_was_torn_away_are_taken_down(operator: Operator, world: World) -> None:
    upgraded(operator)
    with down(world.components.operator_controller):
        strip(operator, "clusterextension", operator.name, "finalizers")
        world.kubectl.delete("clusterextension", operator.name)
    operator.wait_nothing_left()


def test_extension_of_the_same_name_takes_over_after_its_predecessor_was_torn_away(
    operator: Operator, world: World
) -> None:
    installed(operator)
    with down(world.components.operator_controller):
        strip(operator, "clusterextension", operator.name, "finalizers")
        world.kubectl.delete("clusterextension", operator.name)
        operator.install(version="1.0.0")
    extension = operator.wait_installed("1.0.0")
    wait_for(
        lambda: (
            [item["metadata"]["ownerReferences"][0]["uid"] for item in operator.sets()]
            == [extension["metadata"]["uid"]]
        ),
        "only revisions of the new extension to be there",
    )


def test_rests_of_killed_processes_on_disk_are_removed(operator: Operator, world: World) -> None:
    caches = [Path(str(world.components.catalogd.flags["cache-dir"]))]
    caches.append(Path(str(world.components.operator_controller.flags["cache-path"])))
    rests = [caches[0] / f"catalogs/{operator.name}/.writing-1", caches[0] / f"catalogs/{operator.name}/.removed-1"]
    rests += [caches[0] / "catalogs/no-such-catalog", caches[1] / "bundles/tmp-1"]
    with down(world.components.catalogd), down(world.components.operator_controller):
        for rest in rests:
            rest.mkdir(parents=True)
            (rest / "catalog.jsonl").write_bytes(b"half a line")
            os.utime(rest, (0, 0))
    installed(operator)
    wait_for(lambda: not [rest for rest in rests if rest.exists()], "the rests to be gone")
