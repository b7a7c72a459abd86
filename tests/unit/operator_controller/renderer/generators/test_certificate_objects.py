from __future__ import annotations

from olmv1.manifests import name_of
from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.generators.certificate_objects import certificate_objects
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook


def test_certificate_objects_are_sorted_by_certificate() -> None:
    deployments = tuple(map(a_deployment, ("b", "idle", "a")))
    bundle = a_bundle(deployments=deployments, webhooks=(a_webhook(deploymentName="b"), a_webhook(deploymentName="a")))
    rendered = certificate_objects(Rendering(bundle, "ns", ("",), certificates=Certificates.CERT_MANAGER))
    assert [(each["kind"], name_of(each)) for each in rendered] == [
        ("Issuer", "a-service-cert-selfsigned-issuer"),
        ("Certificate", "a-service-cert"),
        ("Issuer", "b-service-cert-selfsigned-issuer"),
        ("Certificate", "b-service-cert"),
    ]
