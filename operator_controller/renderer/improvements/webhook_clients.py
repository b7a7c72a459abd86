"""Changing the Services that webhook configurations and CRDs call.

Used by the improvements of ports, names and left-over conversion sections.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from olmv1.manifests import Manifest

__all__ = ["conversion_service", "with_services"]

_CONFIGURATIONS = frozenset({"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"})
_Change = Callable[[Manifest], Manifest]


def with_services(manifest: Manifest, change: _Change) -> Manifest:
    """`manifest` with every service reference of a webhook client after `change`; the same value when none changes."""
    kind = manifest["kind"]
    if kind in _CONFIGURATIONS:
        webhooks = [_changed(webhook, ("clientConfig", "service"), change) for webhook in manifest["webhooks"]]
        return manifest if webhooks == manifest["webhooks"] else {**manifest, "webhooks": webhooks}
    if kind == "CustomResourceDefinition":
        return _changed(manifest, ("spec", "conversion", "webhook", "clientConfig", "service"), change)
    return manifest


def conversion_service(crd: Manifest) -> Manifest | None:
    """The Service that converts the objects of `crd`, `None` when no Service does."""
    found: Any = crd
    for name in ("spec", "conversion", "webhook", "clientConfig", "service"):
        found = found.get(name)
        if found is None:
            return None
    service: Manifest = found
    return service


def _changed(mapping: Manifest, path: tuple[str, ...], change: _Change) -> Manifest:
    """`mapping` with the value at `path` changed, or the same value when there is none or it stays."""
    name, rest = path[0], path[1:]
    if mapping.get(name) is None:
        return mapping
    changed = _changed(mapping[name], rest, change) if rest else change(mapping[name])
    return mapping if changed is mapping[name] else {**mapping, name: changed}
