"""The Service in front of webhooks, generated and written by the author of the bundle.

Used by the improvement of duplicates.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.manifests import Manifest, labels_of, name_of
from operator_controller.renderer.improvements.merging import ContradictionError, merged
from operator_controller.renderer.improvements.service_ports import container_port_numbers, target_number
from operator_controller.renderer.names import service_name, short_service_name
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import DEFAULT_PORT, port_of, served_deployments

__all__ = ["merged_services"]


def merged_services(generated: Manifest, authored: Manifest, rendering: Rendering) -> Manifest:
    """`generated` with the labels, annotations, ports and port names of `authored`.

    Where the webhook names no target port, the author's says on which one the operator listens.
    Raises: ContradictionError when they lead to other pods or to another port of them.
    """
    spec = authored.get("spec") or {}
    template = _template_behind(generated, rendering)
    if not isinstance(spec, Mapping):
        raise ContradictionError("spec")
    if not _is_within(spec.get("selector") or {}, labels_of(template)):
        raise ContradictionError("spec.selector")
    rest = {name: value for name, value in spec.items() if name not in {"selector", "ports"}}
    metadata = authored.get("metadata") or {}
    own = generated["metadata"]
    both = {
        name: {**(metadata.get(name) or {}), **(own.get(name) or {})}
        for name in ("labels", "annotations")
        if metadata.get(name) or own.get(name)
    }
    result = merged({**generated, "metadata": {**own, **both}}, {"spec": rest})
    return {**result, "spec": {**result["spec"], "ports": _ports(generated, spec, template, rendering)}}


def _is_within(selector: Any, labels: Mapping[str, str]) -> bool:
    return isinstance(selector, Mapping) and all(labels.get(key) == value for key, value in selector.items())


def _template_behind(service: Manifest, rendering: Rendering) -> Manifest:
    """The pod template of the deployment that the generated Service leads to."""
    templates: list[Manifest] = [
        entry.spec["template"]
        for entry in rendering.bundle.deployments
        if name_of(service) in (service_name(entry.name), short_service_name(entry.name))
    ]
    return templates[0]


def _ports(generated: Manifest, spec: Manifest, template: Manifest, rendering: Rendering) -> list[Manifest]:
    ours = {port["port"]: port for port in generated["spec"]["ports"]}
    numbers = container_port_numbers(template["spec"])
    explicit = _explicit_ports(generated, rendering)
    added = []
    for port in _checked_ports(spec):
        known = ours.get(port["port"])
        if known is None or port.get("protocol", "TCP") != "TCP":
            added.append(port)
            continue
        authored = {
            **port,
            "name": port.get("name") or known["name"],
            "targetPort": port.get("targetPort", port["port"]),
        }
        if target_number(authored, numbers) == target_number(known, numbers):
            authored["targetPort"] = known["targetPort"]
        elif known["port"] in explicit:
            raise ContradictionError(
                f"target ports of port {known['port']}: {known['targetPort']} and {authored['targetPort']}"
            )
        ours[known["port"]] = authored
    return [*ours.values(), *added]


def _checked_ports(spec: Manifest) -> list[dict[str, Any]]:
    """The ports as far as they can be compared; the objects of a bundle are untyped."""
    ports = spec.get("ports") or []
    if not isinstance(ports, list) or not all(isinstance(port, dict) for port in ports):
        raise ContradictionError("spec.ports")
    if not all(isinstance(port.get(name, 0), int | str) for port in ports for name in ("port", "targetPort")):
        raise ContradictionError("spec.ports")
    if not all("port" in port for port in ports):
        raise ContradictionError("spec.ports")
    return ports


def _explicit_ports(service: Manifest, rendering: Rendering) -> frozenset[Any]:
    """The ports of which a webhook names the target port, itself or by `containerPort`."""
    return frozenset(
        port_of(webhook) or DEFAULT_PORT
        for name, webhooks in served_deployments(rendering.bundle)
        if name_of(service) in (service_name(name), short_service_name(name))
        for webhook in webhooks
        if _names_target(webhook)
    )


def _names_target(webhook: Mapping[str, Any]) -> bool:
    return "targetPort" in webhook or port_of(webhook) != 0
