"""Generators: one sort of object, one file. `GENERATORS` lists them in the order of the rendered objects.

A generator takes the rendering and gives new manifests; it changes none of the bundle. Rule: bundle-rendering.md 10.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from olmv1.manifests import Manifest
from operator_controller.renderer.generators.additional_resources import additional_resources
from operator_controller.renderer.generators.certificate_objects import certificate_objects
from operator_controller.renderer.generators.cluster_roles import cluster_roles
from operator_controller.renderer.generators.crds import crds
from operator_controller.renderer.generators.deployments import deployments
from operator_controller.renderer.generators.roles import roles
from operator_controller.renderer.generators.service_accounts import service_accounts
from operator_controller.renderer.generators.webhook_configurations import mutating_webhooks, validating_webhooks
from operator_controller.renderer.generators.webhook_services import webhook_services
from operator_controller.renderer.options import Rendering

__all__ = ["GENERATORS"]

GENERATORS: tuple[Callable[[Rendering], Iterable[Manifest]], ...] = (
    service_accounts,
    roles,
    cluster_roles,
    crds,
    additional_resources,
    deployments,
    validating_webhooks,
    mutating_webhooks,
    webhook_services,
    certificate_objects,
)
