from __future__ import annotations

from typing import Any

from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.webhook_configurations import mutating_webhooks, validating_webhooks
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_webhook


def rendering(*webhooks: dict[str, Any], targets: tuple[str, ...] = ("",), **more: Any) -> Rendering:
    return Rendering(a_bundle(webhooks=webhooks), "ns", targets, **more)


def test_validating_webhooks_copy_what_the_csv_says() -> None:
    copied: dict[str, Any] = {
        "rules": [{"apiGroups": [""]}],
        "failurePolicy": "Fail",
        "matchPolicy": "Exact",
        "objectSelector": {},
        "sideEffects": "None",
        "timeoutSeconds": 5,
        "admissionReviewVersions": ["v1", "v1beta1"],
    }
    webhook = a_webhook("v.x", containerPort=8443, webhookPath="/check", reinvocationPolicy="Never", **copied)
    chosen = rendering(webhook, a_webhook(kind="Mutating"), certificates=Certificates.SERVICE_CA)
    [rendered] = validating_webhooks(chosen)
    service = {"namespace": "ns", "name": "op-service", "path": "/check", "port": 8443}
    assert rendered == {
        "kind": "ValidatingWebhookConfiguration",
        "apiVersion": "admissionregistration.k8s.io/v1",
        "metadata": {
            "name": "v.x",
            "namespace": "ns",
            "annotations": {"service.beta.openshift.io/inject-cabundle": "true"},
        },
        "webhooks": [{"name": "v.x", "clientConfig": {"service": service}, **copied}],
    }


def test_mutating_webhooks_add_the_reinvocation_policy_and_leave_out_the_absent() -> None:
    webhook = {"generateName": "m-", "type": "MutatingAdmissionWebhook", "reinvocationPolicy": "IfNeeded"}
    [rendered] = mutating_webhooks(rendering(a_webhook(), webhook))
    service = {"namespace": "ns", "name": "-service", "port": 0}
    assert (rendered["kind"], rendered["metadata"]) == (
        "MutatingWebhookConfiguration",
        {"name": "m", "namespace": "ns"},
    )
    assert rendered["webhooks"] == [
        {
            "name": "m",
            "clientConfig": {"service": service},
            "sideEffects": None,
            "admissionReviewVersions": None,
            "reinvocationPolicy": "IfNeeded",
        }
    ]


def test_webhooks_look_only_at_the_target_namespaces() -> None:
    [rendered] = validating_webhooks(rendering(a_webhook(), targets=("a", "b")))
    expression = {"key": "kubernetes.io/metadata.name", "operator": "In", "values": ["a", "b"]}
    assert rendered["webhooks"][0]["namespaceSelector"] == {"matchExpressions": [expression]}
