"""The steps of the features, in the words of `features/*.feature`."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any

import pytest
import yaml
from pytest_bdd import given, parsers, scenarios, then, when

from e2e.scene import NAMESPACE, NEIGHBOUR, Scene
from e2e.world import condition, expect
from e2e.writers import objects_written

scenarios("features")

Table = Sequence[Sequence[str]]
_KEPT = "customresourcedefinitions,serviceaccounts,deployments"
_ACCOUNT = "system:serviceaccount:lantern-system:"


# What there is ---------------------------------------------------------------------------------------------------


@given(parsers.parse('the catalog "lights" serves edition {edition:d}'))
def serve(scene: Scene, edition: int) -> None:
    scene.serve(edition)


@given('the account "lantern-installer" has the rights of installer.yaml')
@when('the account "lantern-installer" gets the rights of installer.yaml')
def grant(scene: Scene) -> None:
    scene.grant()


@given('the account "lantern-installer" has no rights')
def revoke(scene: Scene) -> None:
    scene.revoke()


@given('there is no account "lantern-installer"')
def remove_account(scene: Scene) -> None:
    scene.remove_account()


@given("a neighbour is installed")
def ensure_neighbour(scene: Scene) -> None:
    scene.ensure_neighbour()


@given(parsers.parse('an image "{tag}" with the catalog'))
def push_catalog_text(scene: Scene, tag: str, docstring: str) -> None:
    scene.push_catalog_text(tag, docstring)


@given(parsers.parse("I have applied a ClusterExtension {how}, and it is installed, with"))
def have_installed(scene: Scene, how: str, datatable: Table) -> None:
    apply(scene, how, datatable)
    scene.world.wait_installed(_catalog_fields(datatable)["version"])


@given(parsers.parse('the sample chart "beacon" is installed in version {version:S}'))
def have_chart(scene: Scene, version: str) -> None:
    scene.world.apply_sample("beacon-installer.yaml", "beacon.yaml")
    scene.world.wait_installed(version, "beacon")


# What is done ----------------------------------------------------------------------------------------------------


@when(parsers.parse("I apply a ClusterExtension {how:S} with"))
def apply(scene: Scene, how: str, datatable: Table) -> None:
    manifest = scene.sample_extension()
    manifest["spec"]["source"]["catalog"] = _catalog_fields(datatable)
    scene.kept = _uids(scene)
    scene.apply(manifest, how)


@when("I apply a ClusterExtension without an account")
def apply_without_account(scene: Scene) -> None:
    manifest = scene.sample_extension()
    del manifest["spec"]["serviceAccount"]
    scene.apply(manifest)


@when(parsers.parse('I apply a ClusterCatalog "{name}" of "{ref}"'))
def apply_catalog(scene: Scene, name: str, ref: str) -> None:
    spec = {"source": {"type": "Image", "image": {"ref": ref}}}
    metadata = {"name": name}
    scene.apply(
        {"apiVersion": "olm.operatorframework.io/v1", "kind": "ClusterCatalog", "metadata": metadata, "spec": spec},
        "client-side",
    )


@when(parsers.parse("edition {edition:d} is pushed to the tag of the catalog"))
def push_edition(scene: Scene, edition: int) -> None:
    scene.push_edition(edition)


@when(parsers.parse('the catalog "{name}" is polled'))
def poll(scene: Scene, name: str) -> None:
    scene.world.poll(name)


@when('a broken edition is pushed to the tag of the catalog and "lights" is polled')
def break_catalog(scene: Scene) -> None:
    scene.break_catalog()
    scene.world.poll()


@when('the registry is away and the catalog "lights" is polled')
def take_registry_away(scene: Scene) -> None:
    scene.take_registry_away()
    scene.world.poll()


@when("the registry is there again")
def bring_registry_back(scene: Scene) -> None:
    scene.bring_registry_back()


@when(parsers.parse('I delete the catalog "{name}"'))
def delete_catalog(scene: Scene, name: str) -> None:
    scene.kubectl.delete("clustercatalog", name)


@when("I delete the ClusterExtension")
def delete(scene: Scene) -> None:
    scene.kubectl.delete("clusterextension", "lantern")


@when('I apply a Service "lantern-metrics" with another port by force')
def change_service(scene: Scene) -> None:
    ports = [{"name": "metrics", "port": 8080, "targetPort": 9999}]
    metadata = {"name": "lantern-metrics", "namespace": NAMESPACE}
    scene.kubectl.apply({"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": ports}})


@when(parsers.parse('I ask "{name}" for version "{version}"'))
def ask_for(scene: Scene, name: str, version: str) -> None:
    scene.world.ask_for(name, version=version)


@when(parsers.parse('I configure "{name}" with colour "{colour}"'))
def configure(scene: Scene, name: str, colour: str) -> None:
    scene.world.patch("clusterextension", name, {"spec": {"config": {"inline": {"colour": colour}}}})


@when(parsers.parse('I delete the ClusterExtension "{name}"'))
def delete_named(scene: Scene, name: str) -> None:
    scene.kubectl.delete("clusterextension", name)


# What is then ----------------------------------------------------------------------------------------------------


@then(parsers.parse("version {version:S} is installed"))
def is_installed(scene: Scene, version: str) -> None:
    scene.world.wait_installed(version)


@then(parsers.parse("version {version:S} is installed within {seconds:d} seconds"))
def is_installed_within(scene: Scene, version: str, seconds: int) -> None:
    scene.world.wait_installed(version, timeout_s=seconds)


@then(parsers.parse('"{type_:w}" is {status:w}, {reason:w}:'))
def has_condition(scene: Scene, type_: str, status: str, reason: str, docstring: str) -> None:
    scene.world.wait_condition(type_, status=status, reason=reason, message=docstring)


@then(parsers.parse('"{type_:w}" of the catalog "{name}" is {state}:'))
def catalog_has_condition(scene: Scene, type_: str, name: str, state: str, docstring: str) -> None:
    status, reason = state.split(", ")
    wanted = {"status": status, "reason": reason, "message": docstring}
    scene.world.wait_condition(type_, name, resource="clustercatalog", **wanted)


@then('"Progressing" is True, Retrying, with one line for each missing right')
def has_missing_rights(scene: Scene, datatable: Table) -> None:
    wanted = sorted(tuple(cell.strip() for cell in row) for row in datatable)

    def found() -> list[tuple[str, ...]]:
        progress = condition(scene.world.extension(), "Progressing")
        return sorted(_right(line) for line in str(progress.get("message", "")).splitlines()[1:])

    expect(f"a line for each of {wanted}", lambda: found() == wanted, found)
    progress = condition(scene.world.extension(), "Progressing")
    head = "pre-authorization failed: service account requires the following permissions to manage cluster extension:"
    assert (progress["reason"], str(progress["message"]).splitlines()[0].endswith(head)) == ("Retrying", True)


@then('every object was written as the account "lantern-installer"')
def is_written_as_account(scene: Scene) -> None:
    writers = {request.as_user for request in objects_written(_audit(scene), scene.audited_from)}
    assert writers == {f"{_ACCOUNT}lantern-installer"}


@then('nothing was written as the account "lantern-installer"')
def is_not_written(scene: Scene) -> None:
    done = [r for r in objects_written(_audit(scene), scene.audited_from) if r.code < 400 and _ACCOUNT in r.as_user]
    assert done == []


@then("CRD, account and Deployment are the same objects as before")
def are_same_objects(scene: Scene) -> None:
    assert _uids(scene) == scene.kept


@then(parsers.parse('version {version:S} of "{name}" is installed'))
def is_installed_as(scene: Scene, version: str, name: str) -> None:
    scene.world.wait_installed(version, name)


@then(parsers.parse('"{type_:w}" of "{name}" is {status:w}, {reason:w}'))
def has_reason(scene: Scene, type_: str, name: str, status: str, reason: str) -> None:
    scene.world.wait_condition(type_, name, status=status, reason=reason)


@then(parsers.parse('the ConfigMap "{name}" in "{namespace}" holds {key:w} "{value}"'))
def holds(scene: Scene, name: str, namespace: str, key: str, value: str) -> None:
    found = scene.kubectl.get("configmap", name, namespace)
    assert found is not None
    assert found["data"][key] == value


@then(parsers.parse('the {resource:w} "{name}" in "{namespace}" is there'))
@then(parsers.parse('the {resource:w} "{name}" in "{namespace}" stays'))
def is_in(scene: Scene, resource: str, name: str, namespace: str) -> None:
    assert scene.kubectl.get(resource, name, namespace) is not None


@then(parsers.parse('the {resource:w} "{name}" in "{namespace}" goes'))
def goes_from(scene: Scene, resource: str, name: str, namespace: str) -> None:
    def is_gone_from() -> bool:
        return scene.kubectl.get(resource, name, namespace) is None

    expect(f"no {resource} {name}", is_gone_from, lambda: "it is there")


@then(parsers.parse('there is a {resource:w} "{name}"'))
def is_there(scene: Scene, resource: str, name: str) -> None:
    expect(f"{resource} {name}", lambda: scene.kubectl.get(resource, name, NAMESPACE), lambda: "none")


@then(parsers.parse('there is no {resource:w} "{name}"'))
def is_gone(scene: Scene, resource: str, name: str) -> None:
    expect(f"no {resource} {name}", lambda: scene.kubectl.get(resource, name, NAMESPACE) is None, lambda: "it is there")


@then(parsers.parse('the catalog "lights" serves the pushed edition within {seconds:d} seconds'))
def serves_pushed(scene: Scene, seconds: int) -> None:
    scene.world.wait_serving(ref=scene.pushed, timeout_s=seconds)


@then('the catalog "lights" is still served, and says Retrying')
def is_served_and_retrying(scene: Scene) -> None:
    catalog = scene.world.wait_condition("Progressing", "lights", resource="clustercatalog", reason="Retrying")
    assert condition(catalog, "Serving")["status"] == "True"


@then("the neighbour is undisturbed")
def is_undisturbed(scene: Scene) -> None:
    assert scene.look_of_neighbour() == scene.neighbour
    _comes_back(scene, f"{NEIGHBOUR.name}-controller", NEIGHBOUR.namespace)
    scene.world.wait_installed("1.0.1", NEIGHBOUR.name)


@then(parsers.parse('the ServiceAccount "{name}" is back within 5 seconds when it is deleted'))
def comes_back(scene: Scene, name: str) -> None:
    _comes_back(scene, name, NAMESPACE)


@then(parsers.parse('the Service "lantern-metrics" has port 8080 within 5 seconds'))
def has_port(scene: Scene) -> None:
    def ports() -> list[Any]:
        service = scene.kubectl.get("service", "lantern-metrics", NAMESPACE) or {"spec": {"ports": []}}
        return [port["targetPort"] for port in service["spec"]["ports"]]

    expect('target ports ["metrics"]', lambda: ports() == ["metrics"], ports, 5)


@then("nothing of the extension is left")
def is_nothing_left(scene: Scene) -> None:
    expect("nothing of the extension to be left", lambda: not scene.world.managed(), scene.world.managed)


@then('the account "lantern-installer" is still there')
def account_is_there(scene: Scene) -> None:
    assert scene.kubectl.get("serviceaccount", "lantern-installer", NAMESPACE)


def _catalog_fields(table: Table) -> dict[str, Any]:
    return {name.strip(): yaml.safe_load(value) for name, value in table}


def _uids(scene: Scene) -> list[str]:
    found = scene.kubectl.items(_KEPT, selector="olm.operatorframework.io/owner-name=lantern")
    return [item["metadata"]["uid"] for item in found]


_RULE = re.compile(
    r'  Namespace:"(?P<namespace>[^"]*)" APIGroups:\[(?P<group>[^]]*)\] Resources:\[(?P<resource>[^]]*)\]'
    r"(?: ResourceNames:\[(?P<name>[^]]*)\])? Verbs:\[(?P<verbs>[^]]*)\]"
)


def _right(line: str) -> tuple[str, ...]:
    """Namespace, resource, name (without the hash of a role) and verbs of a missing right, or the line itself."""
    rule = _RULE.fullmatch(line)
    if rule is None:
        return (line,)
    resource = f"{rule['group']}/{rule['resource']}".removeprefix("/")
    name = re.sub(r"^(lantern-operator\.v1-).*", r"\1", rule["name"] or "")
    return (rule["namespace"], resource, name, rule["verbs"])


def _audit(scene: Scene) -> Any:
    if not scene.world.cluster.is_own:
        pytest.skip("needs the audit log of a control plane of its own: unset KUBECONFIG")
    return scene.world.cluster.audit


def _comes_back(scene: Scene, name: str, namespace: str) -> None:
    account = scene.kubectl.get("serviceaccount", name, namespace)
    assert account is not None
    scene.kubectl.run("delete", "serviceaccount", name, "-n", namespace)
    began = time.monotonic()

    def is_new() -> bool:
        now = scene.kubectl.get("serviceaccount", name, namespace)
        return now is not None and now["metadata"]["uid"] != account["metadata"]["uid"]

    expect(f"ServiceAccount {name} to be back", is_new, lambda: f"nothing after {time.monotonic() - began:.1f} s", 5)
