"""Which rendered objects make the API server call the operator."""

from __future__ import annotations

from olmv1.manifests import Manifest

__all__ = ["calls_webhooks"]

_CONFIGURATIONS = frozenset({"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"})


def calls_webhooks(manifest: Manifest) -> bool:
    """Whether the object is a webhook configuration, or a CRD whose versions a webhook converts."""
    if manifest.get("kind") in _CONFIGURATIONS:
        return True
    conversion = (manifest.get("spec") or {}).get("conversion") if _is_definition(manifest) else None
    return isinstance(conversion, dict) and conversion.get("strategy") == "Webhook"


def _is_definition(manifest: Manifest) -> bool:
    return manifest.get("kind") == "CustomResourceDefinition"
