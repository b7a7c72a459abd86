"""Revisions with odd content, and clusters that do not do what they are asked: told in the status, survived, undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from devcluster.components import Component
from devcluster.kubectl import Kubectl
from devcluster.waiting import wait_for
from e2e.logs import problems
from tests.api.operator_controller.conftest import Sets
from tests.api.operators import crd

HELD = "example.com/held"


@pytest.fixture(autouse=True)
def _clean_log(controller: Component) -> Iterator[None]:
    """Whatever a set holds, the controller meets no bug."""
    before = len(controller.log_text())
    yield
    assert problems(controller.log_text()[before:]) == []


@pytest.fixture
def group(sets: Sets) -> Iterator[str]:
    """An API group of this test, which the account may manage, and what is left of it afterwards removed."""
    name = f"{sets.namespace}.example.com"
    account = f"--serviceaccount={sets.namespace}:installer"
    sets.kubectl.run("create", "clusterrolebinding", sets.namespace, "--clusterrole=cluster-admin", account)
    yield name
    sets.clean()
    sets.kubectl.delete("clusterrolebinding", sets.namespace)


def thing(sets: Sets, group: str, name: str = "one") -> dict[str, Any]:
    metadata = {"name": name, "namespace": sets.namespace}
    return {"apiVersion": f"{group}/v1", "kind": "Thing", "metadata": metadata, "spec": {"size": 1}}


@contextmanager
def held(kubectl: Kubectl, resource: str, name: str, namespace: str) -> Iterator[None]:
    """The object has a finalizer that nobody serves, inside the block."""
    target = (resource, name, "-n", namespace, "--type=merge", "-p")
    kubectl.run("patch", *target, json.dumps({"metadata": {"finalizers": [HELD]}}))
    yield
    kubectl.run("patch", *target, json.dumps({"metadata": {"finalizers": None}}))


@pytest.mark.parametrize("split", [pytest.param(True, id="phases"), pytest.param(False, id="one phase")])
def test_custom_resource_may_come_with_its_definition(sets: Sets, group: str, split: bool) -> None:
    objects = [crd("things", group), thing(sets, group)]
    phases = [[item] for item in objects] if split else [objects]
    sets.wait_succeeded(sets.apply(1, *phases))
    assert sets.kubectl.get(f"things.{group}", "one", sets.namespace) is not None
    sets.clean()
    assert sets.kubectl.get("crd", f"things.{group}") is None


def test_definition_that_was_deleted_comes_back_with_its_objects(sets: Sets, group: str) -> None:
    name = sets.apply(1, [crd("things", group)], [thing(sets, group)])
    sets.wait_succeeded(name)
    sets.kubectl.delete("crd", f"things.{group}")

    def is_back() -> bool:
        found = sets.kubectl.attempt("get", f"things.{group}", "one", "-n", sets.namespace)
        return found.returncode == 0

    wait_for(is_back, "definition and object to be back", timeout_s=30)
    sets.wait(name, "Available", status="True")
    sets.kubectl.delete(f"things.{group}", "one", sets.namespace)
    wait_for(is_back, "the object to be back again", timeout_s=15)


def test_kind_that_is_missing_is_named_and_waited_for(sets: Sets, group: str) -> None:
    name = sets.apply(1, [sets.config_map("good"), thing(sets, group)])
    text = (
        f"reconciling object: reconciling {group}/v1, Kind=Thing {sets.namespace}/one: "
        f'no matches for kind "Thing" in version "{group}/v1"'
    )
    sets.wait(name, "Progressing", status="True", reason="Retrying", message=text)
    assert sets.data("good") == {"a": "b"}
    sets.kubectl.apply(crd("things", group))
    sets.wait_succeeded(name)
    sets.clean()
    sets.kubectl.delete("crd", f"things.{group}")


def test_archived_set_waits_for_an_object_that_hangs(sets: Sets) -> None:
    sets.grant()
    first = sets.apply(1, [sets.config_map("kept")], [sets.config_map("hangs")])
    sets.wait_succeeded(first)
    with held(sets.kubectl, "configmap", "hangs", sets.namespace):
        second = sets.apply(2, [sets.config_map("kept", v="2")])
        sets.wait_succeeded(second)
        message = sets.wait(first, "Progressing", status="True", reason="Retrying")["message"]
        assert message.startswith("removing revision resources that are not owned by another revision")
        assert (sets.data("hangs"), sets.data("kept")) == ({"a": "b"}, {"v": "2"})
    sets.wait(first, "Progressing", status="False", reason="Archived")
    assert (sets.data("hangs"), sets.data("kept")) == (None, {"v": "2"})


def test_deleted_set_waits_for_an_object_that_hangs(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("first")], [sets.config_map("hangs")])
    sets.wait_succeeded(name)
    with held(sets.kubectl, "configmap", "hangs", sets.namespace):
        sets.kubectl.delete("clusterobjectset", name, wait=False)
        wait_for(lambda: _deleting(sets, "hangs"), "the last phase to be on its way out")
        assert sets.data("first") == {"a": "b"}
    wait_for(lambda: sets.kubectl.get("clusterobjectset", name) is None, "the set to be gone")
    assert sets.data("first") is None


def test_object_that_hangs_is_not_a_success_for_the_set_that_wants_it(sets: Sets) -> None:
    sets.grant()
    sets.wait_succeeded(sets.apply(1, [sets.config_map("one", v="1")]))
    with held(sets.kubectl, "configmap", "one", sets.namespace):
        sets.kubectl.delete("configmap", "one", sets.namespace, wait=False)
        second = sets.apply(2, [sets.config_map("one", v="2")])
        text = f"Object ConfigMap.v1 {sets.namespace}/one: is being deleted"
        sets.wait(second, "Available", status="False", message=text)
    sets.wait_succeeded(second)
    assert sets.data("one") == {"v": "2"}


@contextmanager
def deletion_denied(sets: Sets) -> Iterator[None]:
    """An admission policy that refuses to delete ConfigMaps of the namespace, as invalid."""
    name = f"keep-{sets.namespace}"
    kind = {"apiVersion": "admissionregistration.k8s.io/v1", "metadata": {"name": name}}
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "resources": ["configmaps"], "operations": ["DELETE"]}
    selector = {"matchLabels": {"kubernetes.io/metadata.name": sets.namespace}}
    match = {"resourceRules": [rule], "namespaceSelector": selector}
    check = {"expression": "oldObject == null", "message": "kept by policy", "reason": "Invalid"}
    spec = {"failurePolicy": "Fail", "matchConstraints": match, "validations": [check]}
    binding = {"policyName": name, "validationActions": ["Deny"]}
    sets.kubectl.apply(
        {**kind, "kind": "ValidatingAdmissionPolicy", "spec": spec},
        {**kind, "kind": "ValidatingAdmissionPolicyBinding", "spec": binding},
    )
    probe = ("delete", "configmap", "kube-root-ca.crt", "-n", sets.namespace, "--dry-run=server")
    wait_for(lambda: b"kept by policy" in sets.kubectl.attempt(*probe).stderr, "the policy to work")
    yield
    sets.kubectl.delete("validatingadmissionpolicybinding", name)
    sets.kubectl.delete("validatingadmissionpolicy", name)


def test_archived_set_says_what_an_admission_policy_says_and_goes_on_without_it(sets: Sets) -> None:
    sets.grant()
    first = sets.apply(1, [sets.config_map("kept"), sets.config_map("denied")])
    sets.wait_succeeded(first)
    with deletion_denied(sets):
        sets.wait_succeeded(sets.apply(2, [sets.config_map("kept")]))
        message = sets.wait(first, "Progressing", status="True", reason="Retrying")["message"]
        assert "kept by policy" in message
    sets.wait(first, "Progressing", timeout_s=40, status="False", reason="Archived")
    assert sets.data("denied") is None


def test_deleted_set_stays_as_long_as_an_admission_policy_keeps_its_objects(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("denied")])
    sets.wait_succeeded(name)
    with deletion_denied(sets):
        sets.kubectl.delete("clusterobjectset", name, wait=False)
        sets.wait(name, "Progressing", status="True", reason="Retrying")
        assert sets.data("denied") == {"a": "b"}
    wait_for(lambda: sets.kubectl.get("clusterobjectset", name) is None, "the set to be gone", timeout_s=40)
    assert sets.data("denied") is None


def test_set_heals_when_the_namespace_of_its_objects_is_back(sets: Sets, group: str) -> None:
    other = f"{sets.namespace}-other"
    sets.cluster.ensure_namespace(other)
    moved = {**sets.config_map("far"), "metadata": {"name": "far", "namespace": other}}
    name = sets.apply(1, [sets.config_map("near"), moved])
    sets.wait_succeeded(name)
    sets.kubectl.delete("namespace", other)
    text = f'reconciling object: reconciling v1, Kind=ConfigMap {other}/far: namespaces "{other}" not found'
    sets.wait(name, "Progressing", status="True", reason="Retrying", message=text)
    sets.kubectl.delete("configmap", "near", sets.namespace)
    wait_for(lambda: sets.data("near") == {"a": "b"}, "its other object to be repaired all the same")
    sets.cluster.ensure_namespace(other)
    sets.wait(name, "Progressing", timeout_s=5, reason="Succeeded")
    assert sets.kubectl.get("configmap", "far", other) is not None
    sets.kubectl.delete("namespace", other, wait=False)


@contextmanager
def broken_conversion(sets: Sets, group: str) -> Iterator[None]:
    """A kind of which no object can be read: stored in one version, wanted in another, and nobody converts.

    While it is there no namespace can be deleted.
    """
    definition = crd("things", group)
    sets.kubectl.apply(definition)
    sets.kubectl.run("wait", "--for=condition=Established", "crd", f"things.{group}", "--timeout=150s")
    sets.kubectl.apply(thing(sets, group, "old"))
    (first,) = definition["spec"]["versions"]
    service = {"name": "nobody", "namespace": sets.namespace}
    webhook = {"clientConfig": {"service": service}, "conversionReviewVersions": ["v1"]}
    versions = [{**first, "storage": False}, {**first, "name": "v2"}]
    conversion = {"strategy": "Webhook", "webhook": webhook}
    sets.kubectl.apply({**definition, "spec": {**definition["spec"], "versions": versions, "conversion": conversion}})

    def is_broken() -> bool:
        return b"conversion webhook" in sets.kubectl.attempt("get", f"things.v2.{group}", "-A").stderr

    wait_for(is_broken, "the kind to be unreadable")
    try:
        yield
    finally:
        mended = {**definition["spec"], "versions": versions, "conversion": {"strategy": "None"}}
        sets.kubectl.apply({**definition, "spec": mended})
        sets.kubectl.delete("crd", f"things.{group}")


def test_kind_that_cannot_be_read_holds_up_nobody(sets: Sets, group: str) -> None:
    with broken_conversion(sets, group):
        for number in range(1, 12):
            broken = {**thing(sets, group, f"thing-{number}"), "apiVersion": f"{group}/v2"}
            sets.apply(number, [broken])
        sets.wait(f"{sets.owner}-1", "Progressing", reason="Retrying")
        healthy = sets.apply(20, [sets.config_map("healthy")])
        sets.wait(healthy, "Progressing", reason="Succeeded", timeout_s=15)


def _deleting(sets: Sets, name: str) -> bool:
    found = sets.kubectl.get("configmap", name, sets.namespace)
    return found is not None and "deletionTimestamp" in found["metadata"]


ODD: dict[str, dict[str, Any]] = {
    "no name": {"metadata": {"name": None}},
    "no namespace": {"metadata": {"namespace": None}},
    "impossible name": {"metadata": {"name": "Not A Name"}},
    "resource version": {"metadata": {"resourceVersion": "1"}},
    "another's uid": {"metadata": {"uid": "00000000-0000-0000-0000-000000000000"}},
    "owners": {"metadata": {"ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "1"}]}},
    "finalizer": {"metadata": {"finalizers": [HELD]}},
    "generated name": {"metadata": {"generateName": "x-"}},
    "unknown kind": {"kind": "Nothing"},
    "list kind": {"kind": "ConfigMapList"},
    "unknown version": {"apiVersion": "v7"},
    "wrong type": {"data": ["a"]},
    "number as data": {"data": {"a": 1}},
    "forbidden key": {"data": {"a key": "b"}},
}


@pytest.mark.parametrize("change", ODD.values(), ids=list(ODD))
def test_odd_object_is_reported_and_harms_nobody(sets: Sets, change: dict[str, Any]) -> None:
    sets.grant()
    odd = {**sets.config_map("odd"), **change}
    odd["metadata"] = {**sets.config_map("odd")["metadata"], **change.get("metadata", {})}
    odd["metadata"] = {key: value for key, value in odd["metadata"].items() if value is not None}
    name = sets.apply(1, [odd])
    found = sets.wait(name, "Progressing", timeout_s=10)
    assert found["reason"] in ("Retrying", "Blocked"), found
    assert "internal" not in found["message"]
    sets.kubectl.delete("clusterobjectset", name)


def test_object_with_a_status_is_applied_without_it(sets: Sets) -> None:
    sets.grant()
    ports = [{"port": 80, "protocol": "TCP"}]
    metadata = {"name": "shop", "namespace": sets.namespace}
    service = {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": ports}}
    address = {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}
    sets.wait_succeeded(sets.apply(1, [{**service, "status": address}]))
    assert (sets.kubectl.get("service", "shop", sets.namespace) or {})["status"] == {"loadBalancer": {}}


def test_set_without_objects_succeeds(sets: Sets) -> None:
    sets.wait_succeeded(sets.apply(1))
    sets.wait_succeeded(sets.apply(2, []))


def test_refs_to_broken_secrets_are_reported(sets: Sets) -> None:
    sets.grant()
    broken = {"json": b"{", "list": b"[]", "gzip": b"\x1f\x8b\x08broken", "empty": b"", "binary": b"\xff\xfe"}
    for key, data in broken.items():
        metadata = {"name": f"broken-{key}", "namespace": sets.namespace}
        text = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "immutable": True}
        sets.kubectl.apply({**text, "data": {"k": _base64(data)}})
        ref = {"ref": {"name": f"broken-{key}", "namespace": sets.namespace, "key": "k"}}
        name = sets.apply(1, phases=[{"name": "a", "objects": [ref]}])
        message = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
        assert message.startswith('resolving ref in phase "a": '), message
        sets.kubectl.delete("clusterobjectset", name)


def _base64(data: bytes) -> str:
    from base64 import b64encode  # noqa: PLC0415

    return b64encode(data).decode()
