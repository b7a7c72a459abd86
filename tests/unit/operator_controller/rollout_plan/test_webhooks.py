from __future__ import annotations

from typing import Any

import pytest

from operator_controller.rollout_plan import Change, WebhookChange
from operator_controller.rollout_plan.webhooks import webhook_changes

RULE = {"apiGroups": ["apps", ""], "resources": ["deployments"], "operations": ["CREATE", "UPDATE"]}


def a_configuration(kind: str = "ValidatingWebhookConfiguration", **hook: Any) -> dict[str, Any]:
    webhook = {"name": "a.example.com", "rules": [RULE], "failurePolicy": "Ignore", **hook}
    return {"kind": kind, "metadata": {"name": "guard"}, "webhooks": [webhook, "odd"]}


def a_definition(strategy: str) -> dict[str, Any]:
    conversion = {"strategy": strategy}
    return {
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "lamps.example.com"},
        "spec": {"conversion": conversion},
    }


SEEN = "CREATE, UPDATE of apps/deployments, deployments; if it is away: Ignore"


def test_webhooks_come_change_and_go() -> None:
    old = [a_configuration(), a_configuration("MutatingWebhookConfiguration")]
    new = [a_configuration(failurePolicy="Fail", rules=None), a_definition("Webhook")]
    assert webhook_changes(old, new) == (
        WebhookChange(
            "conversion lamps.example.com",
            Change.ADDED,
            "converts between versions; if it is away, objects cannot be read",
        ),
        WebhookChange("mutating guard/a.example.com", Change.REMOVED, SEEN),
        WebhookChange("validating guard/a.example.com", Change.CHANGED, "nothing; if it is away: Fail"),
    )


@pytest.mark.parametrize(
    "same",
    [
        pytest.param([a_configuration(clientConfig={"caBundle": "x"})], id="another certificate"),
        pytest.param([a_configuration(), a_definition("None")], id="a definition without conversion"),
        pytest.param([a_configuration(), {"kind": "CustomResourceDefinition", "spec": "odd"}], id="an odd definition"),
    ],
)
def test_what_is_no_change_of_a_webhook_is_not_told(same: list[dict[str, Any]]) -> None:
    assert webhook_changes([a_configuration()], same) == ()
