"""Rule 7: a webhook is answered by a deployment of the bundle."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.validators.finding import Finding, in_webhook
from operator_controller.renderer.webhooks import deployment_of

__all__ = ["webhook_deployments_present"]


def webhook_deployments_present(bundle: Bundle) -> Iterator[Finding]:
    """One finding per webhook of an unknown deployment, by deployment, type and name.

    Rule: bundle-rendering.md 8, rule 7.
    """
    known = {deployment.name for deployment in bundle.deployments}
    unanswered = [webhook for webhook in bundle.webhooks if deployment_of(webhook) not in known]
    for webhook in sorted(unanswered, key=lambda each: (deployment_of(each), each["type"], each["generateName"])):
        words = (
            f"webhook of type '{webhook['type']}' with name '{webhook['generateName']}' references non-existent "
            f"deployment '{deployment_of(webhook)}'"
        )
        yield in_webhook(bundle, words, webhook)
