from __future__ import annotations

from operator_controller.renderer.webhooks import (
    WebhookType,
    converting_webhooks,
    deployment_of,
    of_type,
    port_of,
    served_deployments,
)
from tests.bundles import a_bundle, a_deployment, a_webhook

_FIRST, _SECOND, _THIRD = a_webhook("a"), a_webhook("b", "Mutating"), a_webhook("c", "Conversion", conversionCRDs=["x"])


def test_of_type_keeps_the_order_of_the_csv() -> None:
    bundle = a_bundle(webhooks=(_SECOND, _THIRD, _FIRST))
    assert list(of_type(bundle, WebhookType.VALIDATING, WebhookType.MUTATING)) == [_SECOND, _FIRST]


def test_converting_webhooks_are_found_by_crd() -> None:
    assert converting_webhooks(a_bundle(webhooks=(_FIRST, _THIRD))) == {"x": _THIRD}


def test_served_deployments_lists_their_webhooks_of_any_type() -> None:
    other = {"type": "Other", "generateName": "o", "deploymentName": "op"}
    bundle = a_bundle(deployments=(a_deployment("idle"), a_deployment()), webhooks=(_FIRST, other))
    assert list(served_deployments(bundle)) == [("op", [_FIRST, other])]


def test_absent_members_of_a_webhook_are_empty() -> None:
    assert (deployment_of({}), port_of({}), port_of({"containerPort": 1})) == ("", 0, 1)
