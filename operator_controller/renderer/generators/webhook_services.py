"""Services through which the API server reaches webhooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import DEFAULT_PORT, port_of, served_deployments

__all__ = ["webhook_services"]


def webhook_services(rendering: Rendering) -> Iterator[Manifest]:
    """One Service per deployment that webhooks name, in the order of the CSV. Rule: bundle-rendering.md 10.10."""
    specs = {deployment.name: deployment.spec for deployment in rendering.bundle.deployments}
    for deployment, webhooks in served_deployments(rendering.bundle):
        certificate = ServingCertificate(deployment, rendering.install_namespace)
        metadata: dict[str, Any] = {"name": certificate.service, "namespace": certificate.namespace}
        if annotations := rendering.provider.service_annotations(certificate):
            metadata["annotations"] = dict(annotations)
        spec: dict[str, Any] = {"ports": _ports(webhooks)}
        if selector := (specs[deployment].get("selector") or {}).get("matchLabels"):
            spec["selector"] = selector
        yield {
            "kind": "Service",
            "apiVersion": "v1",
            "metadata": metadata,
            "spec": spec,
            "status": {"loadBalancer": {}},
        }


def _ports(webhooks: Iterable[Manifest]) -> list[Manifest]:
    """The distinct ports, sorted by port, then by target port as a number."""
    ports: list[Manifest] = []
    for webhook in webhooks:
        number = port_of(webhook) or DEFAULT_PORT
        port = {"name": str(number), "port": number, "targetPort": webhook.get("targetPort", number)}
        if port not in ports:
            ports.append(port)
    return sorted(ports, key=lambda port: (port["port"], _as_number(port["targetPort"])))


def _as_number(target_port: int | str) -> int:
    return target_port if isinstance(target_port, int) else 0
