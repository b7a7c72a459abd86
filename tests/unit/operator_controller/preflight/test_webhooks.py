from __future__ import annotations

from typing import Any

import pytest

from operator_controller.preflight import calls_webhooks


@pytest.mark.parametrize(
    ("manifest", "calls"),
    [
        ({"kind": "ValidatingWebhookConfiguration"}, True),
        ({"kind": "MutatingWebhookConfiguration"}, True),
        ({"kind": "CustomResourceDefinition", "spec": {"conversion": {"strategy": "Webhook"}}}, True),
        ({"kind": "CustomResourceDefinition", "spec": {"conversion": {"strategy": "None"}}}, False),
        ({"kind": "CustomResourceDefinition", "spec": {}}, False),
        ({"kind": "Deployment", "spec": {"conversion": {"strategy": "Webhook"}}}, False),
    ],
)
def test_objects_that_call_webhooks_are_known(manifest: dict[str, Any], calls: bool) -> None:
    assert calls_webhooks(manifest) is calls
