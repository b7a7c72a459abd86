"""Extensions with webhooks on a cluster where nobody else makes certificates: installed, upgraded, killed, removed."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from typing import Any

from devcluster.waiting import wait_for
from e2e.inventory import take, wait_for_inventory
from e2e.world import World
from olmv1.tls.authority import is_issued_by
from tests.api.operators import Operator, bundle_of, down, publish, wait_for_writes

VERSIONS = ("1.0.0", "1.1.0")
KILLS = range(5, 13)
"""The writes before are those of every extension: `test_kills` is about them."""
SYSTEM = "olmv1-system"


def hooks(name: str) -> list[dict[str, Any]]:
    """A validating webhook for things that nobody makes, and a conversion webhook for them."""
    usual = {"deploymentName": f"{name}-controller", "sideEffects": "None", "admissionReviewVersions": ["v1"]}
    ports = {"containerPort": 443, "targetPort": 9443}
    rule = {
        "apiGroups": [f"{name}.example.com"],
        "apiVersions": ["v1"],
        "operations": ["CREATE"],
        "resources": ["things"],
    }
    validating = {"type": "ValidatingAdmissionWebhook", "generateName": f"v.{name}.example.com", "webhookPath": "/v"}
    converting = {"type": "ConversionWebhook", "generateName": f"c.{name}.example.com", "webhookPath": "/c"}
    return [
        {**usual, **ports, **validating, "rules": [rule], "failurePolicy": "Fail"},
        {**usual, **ports, **converting, "conversionCRDs": [f"things.{name}.example.com"]},
    ]


def hooked(name: str, version: str) -> dict[str, bytes]:
    """The files of a bundle with a CRD and webhooks for it."""
    files = bundle_of(name, version, crds=["things"])
    csv = json.loads(files["manifests/000.yaml"])
    csv["spec"]["webhookdefinitions"] = hooks(name)
    return {**files, "manifests/000.yaml": json.dumps(csv).encode()}


def operators(world: World, count: int) -> list[Operator]:
    """Operators with both versions in one catalog."""
    made = [Operator(world).prepare() for _ in range(count)]
    packages = {item.name: {version: hooked(item.name, version) for version in VERSIONS} for item in made}
    publish(world, "hooked", packages)
    return made


def served(operator: Operator) -> tuple[str, str]:
    """Certificate and key that the webhooks answer with."""
    secret = operator.kubectl.get("secret", f"{operator.name}-controller-service-cert", operator.namespace) or {}
    data = secret.get("data") or {}
    return decoded(data.get("tls.crt")), decoded(data.get("tls.key"))


def trusted(operator: Operator) -> tuple[str, str]:
    """What the API server trusts when it validates, and when it converts."""
    webhook = operator.kubectl.get("validatingwebhookconfiguration", f"v.{operator.name}.example.com") or {}
    crd = operator.kubectl.get("crd", f"things.{operator.name}.example.com") or {}
    clients = [item["clientConfig"] for item in webhook.get("webhooks") or [{"clientConfig": {}}]]
    conversion = ((crd.get("spec") or {}).get("conversion") or {}).get("webhook") or {"clientConfig": {}}
    return decoded(clients[0].get("caBundle")), decoded(conversion["clientConfig"].get("caBundle"))


def decoded(text: str | None) -> str:
    return base64.b64decode(text).decode() if text else ""


def is_healthy(operator: Operator) -> bool:
    certificate, _ = served(operator)
    return bool(certificate) and all(is_issued_by(certificate, bundle) for bundle in trusted(operator) if bundle)


def kill_in_turn(world: World, fleet: Sequence[Operator], version: str) -> None:
    """Let the controller act on one extension after the other, and kill it after one write more each time."""
    for count, operator in zip(KILLS, fleet, strict=True):
        mark = world.cluster.audit.position()
        operator.install(version=version)
        wait_for_writes(operator, count, since=mark)
        with down(world.components.operator_controller):
            pass


def test_extension_with_webhooks_is_installed_upgraded_and_removed(world: World) -> None:
    (operator,) = operators(world, 1)
    before = take(world.kubectl)
    operator.install(version="1.0.0")
    operator.wait_installed("1.0.0")
    certificates = (served(operator), trusted(operator))
    assert is_healthy(operator)
    assert all(trusted(operator))
    operator.install()
    operator.wait_installed("1.1.0")
    operator.wait_torn_down(1)
    assert (served(operator), trusted(operator)) == certificates
    secret = world.kubectl.get("secret", f"{operator.name}-certificates", SYSTEM) or {}
    assert [(owner["kind"], owner["name"]) for owner in secret["metadata"]["ownerReferences"]] == [
        ("ClusterExtension", operator.name)
    ]
    operator.delete()
    wait_for_inventory(world.kubectl, before)
    operator.forget()


def test_certificates_survive_a_kill_after_each_write(world: World) -> None:
    fleet = operators(world, len(KILLS))
    before = take(world.kubectl)
    kill_in_turn(world, fleet, "1.0.0")
    for operator in fleet:
        operator.wait_installed("1.0.0")
        wait_for(lambda: is_healthy(operator) and all(trusted(operator)), "callers to trust")  # noqa: B023
    certificates = {operator.name: (served(operator), trusted(operator)) for operator in fleet}
    kill_in_turn(world, fleet, "1.1.0")
    for operator in fleet:
        operator.wait_installed("1.1.0")
        operator.wait_torn_down(1)
    assert {operator.name: (served(operator), trusted(operator)) for operator in fleet} == certificates
    for operator in fleet:
        world.kubectl.delete("clusterextension", operator.name, wait=False)
    wait_for_inventory(world.kubectl, before, timeout_s=60)
    for operator in fleet:
        operator.forget()
