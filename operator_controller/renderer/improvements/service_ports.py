"""Two ports of one webhook Service with the same number. Rule: bundle-rendering.md 15, row 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.bundle import BundleError
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.names import service_name
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import served_deployments

__all__ = ["container_port_numbers", "service_ports", "target_number"]


def service_ports(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """Ports that lead to one container port become one.

    Raises: BundleError when they lead to several: the API server refuses such a Service.
    """
    templates = {entry.name: entry.spec["template"] for entry in rendering.bundle.deployments}
    numbers = {
        service_name(name): container_port_numbers(templates[name]["spec"])
        for name, _ in served_deployments(rendering.bundle)
    }
    improved = list(objects)
    # Generated Services come after those of the bundle, whose content nobody has checked.
    for index in reversed(range(len(improved))):
        if improved[index]["kind"] == "Service" and name_of(improved[index]) in numbers:
            improved[index] = _merged(improved[index], numbers.pop(name_of(improved[index])))
    return Improved(tuple(improved))


def container_port_numbers(pod: Manifest) -> Mapping[str, int]:
    """The numbers of the named ports of the containers of `pod`."""
    ports = (port for container in pod["containers"] or () for port in container.get("ports", ()))
    return {port["name"]: port["containerPort"] for port in ports if port.get("name")}


def _merged(service: Manifest, numbers: Mapping[str, int]) -> Manifest:
    ports: dict[int, Manifest] = {}
    for port in service["spec"]["ports"]:
        known = ports.setdefault(port["port"], port)
        if target_number(known, numbers) != target_number(port, numbers):
            raise BundleError(_refusal(service, known, port))
    if len(ports) == len(service["spec"]["ports"]):
        return service
    return {**service, "spec": {**service["spec"], "ports": list(ports.values())}}


def target_number(port: Manifest, numbers: Mapping[str, int]) -> Any:
    """The container port that `port` leads to, by its number where it is known."""
    target = port["targetPort"]
    return numbers.get(target, target)


def _refusal(service: Manifest, *ports: Manifest) -> str:
    targets = " and ".join(str(port["targetPort"]) for port in ports)
    return (
        f'Service "{name_of(service)}": port {ports[0]["port"]} leads to different target ports {targets}; '
        "webhooks with one containerPort need one targetPort"
    )
