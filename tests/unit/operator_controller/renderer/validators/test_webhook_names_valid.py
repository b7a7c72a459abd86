from __future__ import annotations

from operator_controller.renderer.dns1123 import subdomain_findings
from operator_controller.renderer.validators.webhook_names_valid import webhook_names_valid
from tests.bundles import a_bundle, a_webhook


def test_webhook_names_valid_joins_the_reasons_without_blank() -> None:
    long = "B" * 254
    webhooks = (a_webhook("good"), a_webhook(long), a_webhook("a-"), a_webhook("a-"))
    form, length = subdomain_findings(long)
    prefix = "webhook of type 'ValidatingAdmissionWebhook' has invalid name"
    assert [each.words for each in webhook_names_valid(a_bundle(webhooks=webhooks))] == [
        f"{prefix} '{long}': {form},{length}",
        f"{prefix} 'a-': {form}",
    ]
