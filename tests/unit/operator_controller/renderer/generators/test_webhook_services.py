from __future__ import annotations

from dataclasses import replace
from typing import Any

from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.webhook_services import webhook_services
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook


def services(*webhooks: dict[str, Any], selector: Any = None, **more: Any) -> list[Any]:
    entry = a_deployment()
    entry = replace(entry, spec={**entry.spec, "selector": selector})
    return list(webhook_services(Rendering(a_bundle(deployments=(entry,), webhooks=webhooks), "ns", ("",), **more)))


def test_webhook_services_select_the_pods_of_the_deployment() -> None:
    [service] = services(a_webhook(), selector={"matchLabels": {"app": "op"}}, certificates=Certificates.SERVICE_CA)
    annotations = {"service.beta.openshift.io/serving-cert-secret-name": "op-service-cert"}
    assert service == {
        "kind": "Service",
        "apiVersion": "v1",
        "metadata": {"name": "op-service", "namespace": "ns", "annotations": annotations},
        "spec": {"ports": [{"name": "443", "port": 443, "targetPort": 443}], "selector": {"app": "op"}},
        "status": {"loadBalancer": {}},
    }


def test_webhook_services_sort_distinct_ports_by_number_and_target() -> None:
    given = [(8443, None), (443, 9443), (443, "web"), (443, 9443), (None, 80)]
    ports: list[dict[str, Any]] = [{"containerPort": port, "targetPort": target} for port, target in given]
    webhooks = [a_webhook(**{key: value for key, value in port.items() if value}) for port in ports]
    [service] = services(*webhooks)
    found = [(port["name"], port["port"], port["targetPort"]) for port in service["spec"]["ports"]]
    assert found == [("443", 443, "web"), ("443", 443, 80), ("443", 443, 9443), ("8443", 8443, 8443)]
    assert "selector" not in service["spec"]


def test_webhook_services_serve_webhooks_of_unknown_type_too() -> None:
    assert [each["metadata"]["name"] for each in services(a_webhook(type="Other"))] == ["op-service"]
    assert services(a_webhook(deploymentName="else")) == []
