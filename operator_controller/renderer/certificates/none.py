"""No certificates: bundles with webhooks are refused by the support checks. Rule: bundle-rendering.md 11."""

from __future__ import annotations

from operator_controller.renderer.certificates.provider import Provider

__all__ = ["NONE"]

NONE = Provider(serves=False)
