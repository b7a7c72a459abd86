from __future__ import annotations

from operator_controller.renderer.validators.webhook_deployments_present import webhook_deployments_present
from tests.bundles import a_bundle, a_deployment, a_webhook


def test_webhook_deployments_present_sorts_by_deployment_type_and_name() -> None:
    webhooks = (
        a_webhook("fine"),
        a_webhook("b", "Validating", deploymentName="x"),
        a_webhook("a", "Validating", deploymentName="x"),
        a_webhook("z", "Mutating", deploymentName="x"),
        {"type": "Other", "generateName": "none"},
    )
    bundle = a_bundle(webhooks=webhooks, deployments=(a_deployment(),))
    text = "webhook of type '{}' with name '{}' references non-existent deployment '{}'"
    assert [each.words for each in webhook_deployments_present(bundle)] == [
        text.format("Other", "none", ""),
        text.format("MutatingAdmissionWebhook", "z", "x"),
        text.format("ValidatingAdmissionWebhook", "a", "x"),
        text.format("ValidatingAdmissionWebhook", "b", "x"),
    ]
