from __future__ import annotations

import pytest

from olmv1.api.names import ANNOTATION_INJECT_CA, ANNOTATION_SERVING_CERT
from operator_controller.renderer.certificates import Certificates, ServingCertificate, provider_of

_CERTIFICATE = ServingCertificate("my.op", "ns")


def test_serving_certificate_names_service_secret_and_issuer_of_a_deployment() -> None:
    names = (_CERTIFICATE.service, _CERTIFICATE.secret, _CERTIFICATE.issuer, _CERTIFICATE.host)
    assert names == (
        "my-op-service",
        "my-op-service-cert",
        "my-op-service-cert-selfsigned-issuer",
        "my-op-service.ns",
    )


@pytest.mark.parametrize(
    ("certificates", "client", "service"),
    [
        (Certificates.NONE, {}, {}),
        (Certificates.CERT_MANAGER, {"cert-manager.io/inject-ca-from": "ns/my-op-service-cert"}, {}),
        (
            Certificates.SERVICE_CA,
            {"service.beta.openshift.io/inject-cabundle": "true"},
            {"service.beta.openshift.io/serving-cert-secret-name": "my-op-service-cert"},
        ),
        (
            Certificates.SELF_SIGNED,
            {ANNOTATION_INJECT_CA: "ns/my-op-service-cert"},
            {ANNOTATION_SERVING_CERT: "my-op-service-cert"},
        ),
    ],
)
def test_provider_annotates_clients_and_services(
    certificates: Certificates, client: dict[str, str], service: dict[str, str]
) -> None:
    provider = provider_of(certificates)
    assert provider.serves == (certificates is not Certificates.NONE)
    assert provider.client_annotations(_CERTIFICATE) == client
    assert provider.service_annotations(_CERTIFICATE) == service


@pytest.mark.parametrize("certificates", [each for each in Certificates if each is not Certificates.CERT_MANAGER])
def test_provider_renders_no_objects_and_above_all_no_secret(certificates: Certificates) -> None:
    assert provider_of(certificates).objects(_CERTIFICATE) == ()
