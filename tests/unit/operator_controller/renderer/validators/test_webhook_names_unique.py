from __future__ import annotations

from operator_controller.renderer.validators.webhook_names_unique import webhook_names_unique
from tests.bundles import a_bundle, a_webhook


def test_webhook_names_unique_counts_per_type_and_sorts() -> None:
    names = [("b", "Validating"), ("a", "Validating"), ("c", "Mutating")]
    webhooks = tuple(a_webhook(*name) for name in [*names, *names, ("d", "Mutating"), ("d", "Validating")])
    assert [each.words for each in webhook_names_unique(a_bundle(webhooks=webhooks))] == [
        "duplicate webhook 'c' of type 'MutatingAdmissionWebhook'",
        "duplicate webhook 'a' of type 'ValidatingAdmissionWebhook'",
        "duplicate webhook 'b' of type 'ValidatingAdmissionWebhook'",
    ]
