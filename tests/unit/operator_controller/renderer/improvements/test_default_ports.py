from __future__ import annotations

from operator_controller.renderer.generators.crds import crds
from operator_controller.renderer.generators.webhook_configurations import validating_webhooks
from operator_controller.renderer.improvements.default_ports import default_ports
from operator_controller.renderer.improvements.webhook_clients import conversion_service
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd, a_webhook


def test_default_ports_turns_port_0_of_callers_into_443() -> None:
    webhooks = (a_webhook("a"), a_webhook("b", containerPort=8443), a_webhook("c", "Conversion", conversionCRDs=["x"]))
    crd = {**a_crd(), "metadata": {"name": "x"}}
    rendering = Rendering(a_bundle(webhooks=webhooks, crds=(crd,)), "ns", ("",))
    given = (*crds(rendering), *validating_webhooks(rendering), {"kind": "Service", "spec": {"port": 0}})
    converted, first, second, other = default_ports(given, rendering).objects
    service = {"namespace": "ns", "name": "op-service", "port": 443}
    assert conversion_service(converted) == {**service, "path": "/"}
    assert first["webhooks"][0]["clientConfig"]["service"] == service
    assert (second, other) == given[2:]
