"""Conversion sections that an author left in a CRD. Rule: bundle-rendering.md 15, row 9."""

from __future__ import annotations

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.improvements.webhook_clients import conversion_service, with_services
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import converting_webhooks

__all__ = ["leftover_conversion"]


def leftover_conversion(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """A CRD whose conversion is not from the CSV: a Service of the bundle is looked for in the install namespace.

    Every such CRD is warned of, because nobody gives it a certificate authority.
    """
    ours = converting_webhooks(rendering.bundle)
    services = {name_of(each) for each in objects if each["kind"] == "Service"}
    improved, warnings = [], []
    for each in objects:
        service = conversion_service(each) if each["kind"] == "CustomResourceDefinition" else None
        if service is None or name_of(each) in ours:
            improved.append(each)
        elif service["name"] in services:
            improved.append(with_services(each, lambda found: _moved(found, rendering.install_namespace)))
            warnings.append(_warning(each, service, "which is part of the bundle: its namespace was set"))
        else:
            improved.append(each)
            warnings.append(_warning(each, service, "which is not part of the bundle"))
    return Improved(tuple(improved), tuple(warnings))


def _moved(service: Manifest, namespace: str) -> Manifest:
    return service if service["namespace"] == namespace else {**service, "namespace": namespace}


def _warning(crd: Manifest, service: Manifest, remark: str) -> str:
    return (
        f'CustomResourceDefinition "{name_of(crd)}": no webhook of the ClusterServiceVersion converts it, but '
        f'Service "{service["namespace"]}/{service["name"]}", {remark}'
    )
