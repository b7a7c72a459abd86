from __future__ import annotations

from typing import Any

import pytest

from operator_controller.bundle import BundleError
from operator_controller.renderer.generators.webhook_services import webhook_services
from operator_controller.renderer.improvements.service_ports import service_ports
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook

_AUTHORED = {"kind": "Service", "metadata": {"name": "op-service"}, "spec": "anything"}


def improved(*targets: int | str) -> list[Any]:
    containers = [{"name": "m", "ports": [{"name": "web", "containerPort": 9443}, {"containerPort": 1}]}]
    webhooks = tuple(a_webhook(containerPort=443, targetPort=target) for target in targets)
    bundle = a_bundle(deployments=(a_deployment(containers=containers),), webhooks=webhooks)
    rendering = Rendering(bundle, "ns", ("",))
    return list(service_ports((_AUTHORED, *webhook_services(rendering)), rendering).objects)


def test_service_ports_merges_a_name_and_a_number_of_one_container_port() -> None:
    authored, service = improved("web", 9443)
    assert authored is _AUTHORED
    assert service["spec"]["ports"] == [{"name": "443", "port": 443, "targetPort": "web"}]


def test_service_ports_refuses_one_port_to_different_container_ports() -> None:
    with pytest.raises(BundleError) as caught:
        improved(9443, 8443)
    assert str(caught.value) == (
        'Service "op-service": port 443 leads to different target ports 8443 and 9443; webhooks with one containerPort '
        "need one targetPort"
    )


def test_service_ports_leaves_distinct_ports_alone() -> None:
    assert improved(9443)[1]["spec"]["ports"] == [{"name": "443", "port": 443, "targetPort": 9443}]
