"""What would be refused stops a phase before anything of it is written: admission, quota, rights, immutable fields."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from devcluster.components import Component
from devcluster.waiting import wait_for
from tests.api.operator_controller.conftest import Sets

ADMISSION = "admissionregistration.k8s.io/v1"


@contextmanager
def policy(sets: Sets, rule: str, message: str) -> Iterator[None]:
    """ConfigMaps of the namespace must obey `rule`, inside the block."""
    name = f"{sets.namespace}-rule"
    resources = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"]}
    spec = {
        "failurePolicy": "Fail",
        "matchConstraints": {"resourceRules": [{**resources, "resources": ["configmaps"]}]},
        "validations": [{"expression": rule, "message": message}],
    }
    selector = {"matchLabels": {"kubernetes.io/metadata.name": sets.namespace}}
    binding = {
        "policyName": name,
        "validationActions": ["Deny"],
        "matchResources": {"namespaceSelector": selector},
    }
    kinds = {"ValidatingAdmissionPolicy": spec, "ValidatingAdmissionPolicyBinding": binding}
    for kind, content in kinds.items():
        sets.kubectl.apply({"apiVersion": ADMISSION, "kind": kind, "metadata": {"name": name}, "spec": content})
    try:
        yield
    finally:
        for kind in kinds:
            sets.kubectl.delete(kind, name)


def writes(sets: Sets, since: int, *, is_dry: bool) -> list[str]:
    """The objects of the namespace that the account wrote, or would have written, sorted."""
    user = f"system:serviceaccount:{sets.namespace}:installer"
    found = [item for item in sets.cluster.audit.requests(since=since) if item.as_user == user and item.is_write]
    return sorted(item.uri.partition("?")[0].rpartition("/")[2] for item in found if ("dryRun" in item.uri) is is_dry)


def refused(sets: Sets, manifest: dict[str, Any]) -> str:
    """What the API server says against the object now; empty when it would take it."""
    done = sets.kubectl.attempt("create", "--dry-run=server", "-f", "-", stdin=json.dumps(manifest).encode())
    return done.stderr.decode()


def refusal(sets: Sets, name: str, text: str) -> str:
    return f"reconciling object: validating v1, Kind=ConfigMap {sets.namespace}/{name}: {text}"


def test_admission_stops_a_phase_before_anything_of_it_is_written(sets: Sets) -> None:
    sets.grant()
    with policy(sets, "!has(object.data.bad)", "data.bad is not wanted here"):
        probe = sets.config_map("probe", bad="yes")
        wait_for(lambda: "not wanted" in refused(sets, probe), "the policy to be in force", timeout_s=30)
        mark = sets.cluster.audit.position()
        bad = [sets.config_map(name, bad="yes") for name in ("bad-1", "bad-2")]
        name = sets.apply(1, [sets.config_map("before")], [sets.config_map("good"), *bad])
        policies = f"'{sets.namespace}-rule' with binding '{sets.namespace}-rule' denied request"
        text = f"ValidatingAdmissionPolicy {policies}: data.bad is not wanted here"
        found = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
        lines = [refusal(sets, item, f'configmaps "{item}" is forbidden: {text}') for item in ("bad-1", "bad-2")]
        assert found == "\n".join(lines)
        wait_for(lambda: writes(sets, mark, is_dry=True).count("bad-1") >= 3, "two more tries", timeout_s=60)
        assert (sets.data("before"), sets.data("good"), sets.data("bad-1")) == ({"a": "b"}, None, None)
        assert writes(sets, mark, is_dry=False) == ["before"]
        assert writes(sets, mark, is_dry=True).count("good") == 1
    sets.wait(name, "Progressing", reason="Succeeded", timeout_s=90)
    assert writes(sets, mark, is_dry=False) == ["bad-1", "bad-2", "before", "good"]


def test_quota_stops_a_phase_before_anything_of_it_is_written(sets: Sets) -> None:
    sets.grant()
    quota = {"hard": {"count/services": "0"}}
    sets.kubectl.apply(
        {
            "apiVersion": "v1",
            "kind": "ResourceQuota",
            "metadata": {"name": "few", "namespace": sets.namespace},
            "spec": quota,
        }
    )

    def is_in_force() -> bool:
        return "exceeded quota" in refused(sets, service(sets, "probe"))

    wait_for(is_in_force, "the quota to be in force", timeout_s=60)
    name = sets.apply(1, [sets.config_map("good"), service(sets, "door")])
    message = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
    assert message == (
        f"reconciling object: validating v1, Kind=Service {sets.namespace}/door: "
        'services "door" is forbidden: exceeded quota: few, requested: count/services=1, used: count/services=0, '
        "limited: count/services=0"
    )
    assert sets.data("good") is None
    sets.kubectl.delete("resourcequota", "few", sets.namespace)
    sets.wait(name, "Progressing", reason="Succeeded", timeout_s=120)


def service(sets: Sets, name: str) -> dict[str, Any]:
    metadata = {"name": name, "namespace": sets.namespace}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": {"ports": [{"port": 80}]}}


def test_immutable_field_stops_an_upgrade_before_anything_of_its_phase_is_written(sets: Sets) -> None:
    sets.grant()
    fixed = {**sets.config_map("fixed", v="1"), "immutable": True}
    sets.wait_succeeded(sets.apply(1, [sets.config_map("free", v="1"), fixed]))
    mark = sets.cluster.audit.position()
    changed = {**sets.config_map("fixed", v="2"), "immutable": True}
    second = sets.apply(2, [sets.config_map("free", v="2"), changed])
    message = sets.wait(second, "Progressing", status="True", reason="Retrying")["message"]
    invalid = 'ConfigMap "fixed" is invalid: data: Forbidden: field is immutable when `immutable` is set'
    assert message == refusal(sets, "fixed", invalid)
    assert (sets.data("free"), sets.data("fixed")) == ({"v": "1"}, {"v": "1"})
    assert writes(sets, mark, is_dry=False) == []


def test_refused_right_is_told_before_anything_of_the_phase_is_written(sets: Sets) -> None:
    sets.grant()
    metadata = {"name": "small", "namespace": sets.namespace}
    limits = {"apiVersion": "v1", "kind": "LimitRange", "metadata": metadata, "spec": {"limits": []}}
    name = sets.apply(1, [sets.config_map("good"), limits])
    message = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
    assert message.startswith(f"reconciling object: validating v1, Kind=LimitRange {sets.namespace}/small: ")
    assert sets.data("good") is None


def test_phase_is_dry_run_once_and_never_at_rest(sets: Sets) -> None:
    sets.grant()
    mark = sets.cluster.audit.position()
    name = sets.apply(1, [sets.config_map("one"), sets.config_map("two")], [sets.config_map("three")])
    sets.wait_succeeded(name)
    sets.kubectl.delete("configmap", "one", sets.namespace)
    wait_for(lambda: sets.data("one") is not None, "the object to be back")
    wait_for(lambda: writes(sets, mark, is_dry=False) == ["one", "one", "three", "two"], "the writes to be told")
    assert writes(sets, mark, is_dry=True) == ["one", "three", "two"]


@pytest.mark.parametrize("together", [True, False], ids=["in one phase", "in two phases"])
def test_namespace_may_come_with_what_is_in_it(sets: Sets, together: bool) -> None:
    name = f"{sets.namespace}-inner"
    account = f"--serviceaccount={sets.namespace}:installer"
    sets.kubectl.run("create", "clusterrolebinding", name, "--clusterrole=cluster-admin", account)
    inner = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    held = {**sets.config_map("held"), "metadata": {"name": "held", "namespace": name}}
    sets.wait_succeeded(sets.apply(1, *([[inner, held]] if together else [[inner], [held]])))
    sets.clean()
    sets.kubectl.delete("clusterrolebinding", name)


def test_phase_that_has_begun_is_not_dry_run_by_the_next_process(sets: Sets, controller: Component) -> None:
    sets.grant()
    probe = {
        "selector": {"type": "GroupKind", "groupKind": {"group": "", "kind": "ConfigMap"}},
        "assertions": [{"type": "FieldValue", "fieldValue": {"fieldPath": "data.ready", "value": "yes"}}],
    }
    name = sets.apply(1, [sets.config_map("one"), sets.config_map("two")], progressionProbes=[probe])
    sets.wait(name, "Available", reason="ProbeFailure", timeout_s=60)
    controller.stop()
    mark = sets.cluster.audit.position()
    controller.start().wait_ready()
    wait_for(lambda: writes(sets, mark, is_dry=False) == ["one", "two"], "both to be sent again", timeout_s=60)
    assert writes(sets, mark, is_dry=True) == []


def test_own_webhook_that_is_away_does_not_hold_up_what_may_bring_it_back(sets: Sets) -> None:
    """One object of the phase is what the webhook is called for, the other could be its server."""
    sets.kubectl.run(
        "create",
        "clusterrolebinding",
        sets.namespace,
        "--clusterrole=cluster-admin",
        f"--serviceaccount={sets.namespace}:installer",
    )
    webhook = a_webhook(sets)
    sets.wait_succeeded(sets.apply(1, [sets.config_map("server", v="1"), guarded(sets, v="1")], [webhook]))
    wait_for(lambda: "failed calling webhook" in refused(sets, guarded(sets, "probe")), "the webhook to be called")
    second = sets.apply(2, [sets.config_map("server", v="2"), guarded(sets, v="2")], [webhook])
    wait_for(lambda: sets.data("server") == {"v": "2"}, "the server to be replaced", timeout_s=30)
    message = sets.wait(second, "Progressing", reason="Retrying")["message"]
    assert message.startswith(f"reconciling object: reconciling v1, Kind=ConfigMap {sets.namespace}/guarded: ")
    assert "because of its own webhook away.example.com: " in message.splitlines()[-1]
    assert sets.data("guarded") == {"v": "1"}
    sets.clean()
    sets.kubectl.delete("clusterrolebinding", sets.namespace)


def guarded(sets: Sets, name: str = "guarded", **data: str) -> dict[str, Any]:
    found = sets.config_map(name, **data)
    return {**found, "metadata": {**found["metadata"], "labels": {"guarded": "yes"}}}


def a_webhook(sets: Sets) -> dict[str, Any]:
    """A webhook that nobody answers, for ConfigMaps of the namespace with a label."""
    rule = {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE", "UPDATE"], "resources": ["configmaps"]}
    webhook = {
        "name": "away.example.com",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "clientConfig": {"url": "https://127.0.0.1:1/"},
        "rules": [rule],
        "objectSelector": {"matchLabels": {"guarded": "yes"}},
        "namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": sets.namespace}},
    }
    metadata = {"name": sets.namespace}
    return {
        "apiVersion": ADMISSION,
        "kind": "ValidatingWebhookConfiguration",
        "metadata": metadata,
        "webhooks": [webhook],
    }
