"""Changing the pods of Deployments; used by several improvements."""

from __future__ import annotations

from collections.abc import Callable

from olmv1.manifests import Manifest

__all__ = ["with_pod", "with_template"]


def with_template(manifest: Manifest, change: Callable[[Manifest], Manifest]) -> Manifest:
    """A Deployment with its pod template after `change`; the same value for other kinds and when it stays."""
    if manifest["kind"] != "Deployment":
        return manifest
    template = manifest["spec"]["template"]
    changed = change(template)
    return manifest if changed is template else {**manifest, "spec": {**manifest["spec"], "template": changed}}


def with_pod(manifest: Manifest, change: Callable[[Manifest], Manifest]) -> Manifest:
    """A Deployment with the spec of its pods after `change`."""

    def with_spec(template: Manifest) -> Manifest:
        changed = change(template["spec"])
        return template if changed is template["spec"] else {**template, "spec": changed}

    return with_template(manifest, with_spec)
