"""What a person steers with annotations: pausing, asking for another look, approving upgrades."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from devcluster.images import bundle_image
from devcluster.waiting import wait_for
from e2e.world import World, condition
from tests.api.operators import PREFIX, Operator, bundle_of, config_map, publish

EXTRAS = f"extras.{PREFIX}"


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator of 1.0.0, 1.0.1 and 1.1.0, each replacing the one before; its extension goes after the test."""
    made = Operator(world)
    versions = ("1.0.0", "1.0.1", "1.1.0")
    made.prepare().publish({each: bundle_of(made.name, each, config_map(f"{made.name}-thing")) for each in versions})
    yield made
    annotate(made, paused=None)
    made.delete()
    made.wait_nothing_left()
    made.forget()


def annotate(operator: Operator, **values: str | None) -> None:
    """Set extras of the extension; `None` removes one."""
    annotations = {f"{EXTRAS}/{name.replace('_', '-')}": value for name, value in values.items()}
    operator.world.patch("clusterextension", operator.name, {"metadata": {"annotations": annotations}})


def install(operator: Operator, version: str, **values: str) -> None:
    manifest = operator.manifest(version=version)
    manifest["metadata"]["annotations"] = {f"{EXTRAS}/{name.replace('_', '-')}": text for name, text in values.items()}
    operator.kubectl.apply(manifest)
    operator.wait_installed(version)


def thing(operator: Operator) -> dict[str, Any]:
    found = operator.kubectl.get("configmap", f"{operator.name}-thing", operator.namespace)
    assert found is not None
    return found


def spoil(operator: Operator) -> None:
    name = f"{operator.name}-thing"
    operator.kubectl.run("patch", "configmap", name, "-n", operator.namespace, "-p", '{"data": {"a": "spoilt"}}')


def pending(operator: Operator) -> str:
    """The message of UpgradePending; empty without it."""
    return str(condition(operator.kubectl.get("clusterextension", operator.name), "UpgradePending").get("message", ""))


def test_paused_extension_is_neither_upgraded_nor_repaired_until_it_goes_on(operator: Operator) -> None:
    install(operator, "1.0.0")
    annotate(operator, paused="true")
    text = f'nothing is applied or repaired while annotation "{EXTRAS}/paused" is "true"'
    operator.wait("Progressing", status="False", reason="Paused", message=text)
    operator.wait_set(1, "Progressing", status="False", reason="Paused", message=text)
    operator.wait("Installed", status="True")
    operator.wait_set(1, "Available", status="True")
    spoil(operator)
    operator.world.ask_for(operator.name, version="1.0.1")
    annotate(operator, requested_at="now")
    wait_for(lambda: _generation_is_seen(operator), "the new spec to be looked at")
    assert thing(operator)["data"] == {"a": "spoilt"}
    assert len(operator.sets()) == 1
    annotate(operator, paused=None)
    operator.wait_installed("1.0.1")
    wait_for(lambda: thing(operator)["data"] == {"a": "b"}, "the thing to be repaired")


def _generation_is_seen(operator: Operator) -> bool:
    ext = operator.kubectl.get("clusterextension", operator.name)
    assert ext is not None
    return bool(condition(ext, "Progressing").get("observedGeneration") == ext["metadata"]["generation"])


def test_paused_extension_can_be_deleted(operator: Operator) -> None:
    install(operator, "1.0.0")
    annotate(operator, paused="true")
    operator.wait("Progressing", reason="Paused")
    operator.delete()
    operator.wait_nothing_left()
    install(operator, "1.0.0")


def test_request_takes_a_replaced_image_and_is_recorded(operator: Operator) -> None:
    install(operator, "1.0.0")
    image = _replace_image(operator)
    wait_for(lambda: "ImageChanged" in _events(operator), "the replaced image to be told")
    assert [item["metadata"]["name"] for item in operator.sets()] == [f"{operator.name}-1"]
    annotate(operator, requested_at="first")
    operator.wait_set(2, "Succeeded", status="True")
    wait_for(lambda: _handled(operator) == "first", "the request to be recorded")
    operator.wait("Installed", status="True", message=f"Installed bundle {image} successfully")
    assert thing(operator)["data"] == {"a": "again"}


def _replace_image(operator: Operator) -> str:
    """Have the catalog name another image for the same bundle 1.0.0; that image."""
    world, name = operator.world, operator.name
    files = bundle_of(name, "1.0.0", config_map(f"{name}-thing", a="again"))
    image = world.registry.push(f"{name}/bundle:again", bundle_image(files))
    value = {"packageName": name, "version": "1.0.0"}
    properties = [{"type": "olm.package", "value": value}]
    bundle: dict[str, Any] = {"schema": "olm.bundle", "package": name, "name": f"{name}.v1.0.0", "image": image}
    channel: dict[str, Any] = {
        "schema": "olm.channel",
        "package": name,
        "name": "stable",
        "entries": [{"name": f"{name}.v1.0.0"}],
    }
    blobs: list[dict[str, Any]] = [{"schema": "olm.package", "name": name, "defaultChannel": "stable"}, channel]
    publish(world, name, {}, [*blobs, {**bundle, "properties": properties}])
    return image


def _events(operator: Operator) -> set[str]:
    selector = f"involvedObject.name={operator.name},involvedObject.kind=ClusterExtension"
    found = operator.kubectl.run(
        "get", "events", "-A", "--field-selector", selector, "-o", "jsonpath={.items[*].reason}"
    )
    return set(found.split())


def _handled(operator: Operator) -> str:
    ext = operator.kubectl.get("clusterextension", operator.name) or {}
    return str((ext.get("status") or {}).get("lastHandledRequestedAt", ""))


def test_manual_upgrade_waits_for_the_approval_of_its_plan(operator: Operator) -> None:
    install(operator, "1.0.0", upgrade_policy="Manual")
    operator.world.ask_for(operator.name, version="1.0.1")
    text = "upgrade from 1.0.0 to 1.0.1 waits for approval of plan "
    wait_for(lambda: pending(operator).startswith(text), "the upgrade to wait")
    operator.wait("Progressing", status="True", reason="Succeeded", message="Desired state reached")
    plan = pending(operator).removeprefix(text)
    annotate(operator, approve="0123456789abcdef0123456789abcdef")
    refused = f'{text}{plan}; the approval of plan "0123456789abcdef0123456789abcdef" is not for this one'
    wait_for(lambda: pending(operator) == refused, "the wrong approval to be told")
    spoil(operator)
    wait_for(lambda: thing(operator)["data"] == {"a": "b"}, "what is installed to be repaired")
    assert len(operator.sets()) == 1
    annotate(operator, approve=plan)
    operator.wait_installed("1.0.1")
    assert pending(operator) == ""
    assert operator.sets()[-1]["metadata"]["annotations"][f"{EXTRAS}/approved"] == plan


def test_z_stream_upgrade_goes_on_and_a_minor_one_waits(operator: Operator) -> None:
    install(operator, "1.0.0", upgrade_policy="ZStream")
    operator.world.ask_for(operator.name, version="1.0.1")
    operator.wait_installed("1.0.1")
    operator.world.ask_for(operator.name, version="1.1.0")
    wait_for(lambda: pending(operator).startswith("upgrade from 1.0.1 to 1.1.0 waits"), "the upgrade to wait")
    annotate(operator, upgrade_policy=None)
    operator.wait_installed("1.1.0")
