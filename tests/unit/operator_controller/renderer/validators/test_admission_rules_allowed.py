from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.validators.admission_rules_allowed import admission_rules_allowed
from tests.bundles import a_bundle, a_webhook

_ADMISSION = "admissionregistration.k8s.io"


def findings(*rules: dict[str, Any], kind: str = "Mutating") -> list[str]:
    bundle = a_bundle(webhooks=(a_webhook("w", kind, rules=list(rules)),))
    prefix = 'webhook "w" contains forbidden rule: admission webhook rules cannot reference '
    return [each.words.removeprefix(prefix) for each in admission_rules_allowed(bundle)]


@pytest.mark.parametrize("kind", ["Mutating", "Validating"])
def test_admission_rules_allowed_refuses_groups_in_order_of_the_csv(kind: str) -> None:
    rules = [{"apiGroups": ["olm.operatorframework.io", "apps"]}, {"apiGroups": ["*"]}, {}]
    assert findings(*rules, kind=kind) == ['API group "olm.operatorframework.io"', 'API group "*"']


def test_admission_rules_allowed_refuses_the_configurations_of_webhooks_in_any_letter_case() -> None:
    resources = ["*", "MutatingWebhookConfigurations", "validatingwebhookconfiguration", "others"]
    assert findings({"apiGroups": [_ADMISSION], "resources": resources}) == [
        f'resource "*" for API group "{_ADMISSION}"',
        f'resource "MutatingWebhookConfigurations" for API group "{_ADMISSION}"',
        f'resource "validatingwebhookconfiguration" for API group "{_ADMISSION}"',
    ]


@pytest.mark.parametrize(
    "rule",
    [
        {"apiGroups": [_ADMISSION], "resources": ["validatingwebhookconfigurations/status", "*/*"]},
        {"apiGroups": ["operators.coreos.com", ""], "resources": ["*"]},
    ],
)
def test_admission_rules_allowed_accepts_the_rest(rule: dict[str, Any]) -> None:
    assert findings(rule) == []


def test_admission_rules_allowed_does_not_look_at_conversion_webhooks() -> None:
    assert findings({"apiGroups": ["*"]}, kind="Conversion") == []
