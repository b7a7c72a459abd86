"""Webhook port 0 becomes 443. Rule: bundle-rendering.md 15, row 3."""

from __future__ import annotations

from olmv1.manifests import Manifest
from operator_controller.renderer.improvements.improved import Improved, for_each
from operator_controller.renderer.improvements.webhook_clients import with_services
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import DEFAULT_PORT

__all__ = ["default_ports"]


def default_ports(objects: tuple[Manifest, ...], _: Rendering) -> Improved:
    """Callers of a webhook without `containerPort` ask at the port that its Service already has.

    The API server refuses port 0.
    """
    return for_each(objects, lambda each: with_services(each, _with_port))


def _with_port(service: Manifest) -> Manifest:
    return {**service, "port": DEFAULT_PORT} if service.get("port") == 0 else service
