from __future__ import annotations

import pytest

from operator_controller.bundle import BundleError
from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.crds import crds
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd, a_webhook

_CONVERSION = a_webhook("c", "Conversion", conversionCRDs=["things.example.com"])


def test_crds_are_rendered_in_order_and_unchanged() -> None:
    bundle = a_bundle(crds=(a_crd("bees", conversion={"strategy": "None"}), a_crd("ants")))
    assert list(crds(Rendering(bundle, "ns", ("",)))) == list(bundle.crds)


def test_crds_are_converted_by_the_webhook_that_names_them() -> None:
    crd = {
        **a_crd(conversion={"strategy": "None"}),
        "metadata": {"name": "things.example.com", "annotations": {"a": "b"}},
    }
    bundle = a_bundle(crds=(crd, a_crd("others")), webhooks=(_CONVERSION,))
    converted, other = crds(Rendering(bundle, "ns", ("",), certificates=Certificates.CERT_MANAGER))
    service = {"namespace": "ns", "name": "op-service", "path": "/", "port": 0}
    webhook = {"clientConfig": {"service": service}, "conversionReviewVersions": ["v1"]}
    assert converted["spec"] == {**crd["spec"], "conversion": {"strategy": "Webhook", "webhook": webhook}}
    assert converted["metadata"]["annotations"] == {
        "a": "b",
        "cert-manager.io/inject-ca-from": "ns/op-service-cert",
    }
    assert other == a_crd("others")


def test_crds_are_converted_at_the_path_and_port_of_the_webhook() -> None:
    webhook = {**_CONVERSION, "webhookPath": "/convert", "containerPort": 8443}
    [crd] = crds(Rendering(a_bundle(crds=(a_crd(),), webhooks=(webhook,)), "ns", ("",)))
    service = crd["spec"]["conversion"]["webhook"]["clientConfig"]["service"]
    assert (service["path"], service["port"], crd["metadata"]) == ("/convert", 8443, a_crd()["metadata"])


def test_crds_that_preserve_unknown_fields_are_not_converted() -> None:
    bundle = a_bundle(crds=(a_crd(preserveUnknownFields=True),), webhooks=(_CONVERSION,))
    with pytest.raises(BundleError) as caught:
        list(crds(Rendering(bundle, "ns", ("",))))
    assert str(caught.value) == (
        "custom resource definition 'things.example.com' must have .spec.preserveUnknownFields set to false to let API "
        "Server call webhook to do the conversion"
    )
