"""Rule 6: conversion webhooks serve the whole cluster."""

from __future__ import annotations

from collections.abc import Iterator

from operator_controller.bundle import Bundle
from operator_controller.renderer.install_modes import InstallMode
from operator_controller.renderer.validators.finding import Finding, in_webhook
from operator_controller.renderer.webhooks import WebhookType, of_type

__all__ = ["conversion_modes"]


def conversion_modes(bundle: Bundle) -> Iterator[Finding]:
    """One finding per conversion webhook of a bundle that supports anything but AllNamespaces, in the CSV's order.

    MultiNamespace counts too. Rule: bundle-rendering.md 8, rule 6.
    """
    if bundle.install_modes == {InstallMode.ALL}:
        return
    modes = " ".join(sorted(bundle.install_modes))
    for webhook in of_type(bundle, WebhookType.CONVERSION):
        words = (
            f'bundle contains conversion webhook "{webhook["generateName"]}" and supports install modes [{modes}] - '
            "conversion webhooks are only supported for bundles that only support AllNamespaces install mode"
        )
        yield in_webhook(bundle, words, webhook)
