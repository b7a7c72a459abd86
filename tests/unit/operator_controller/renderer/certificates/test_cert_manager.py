from __future__ import annotations

from operator_controller.renderer.certificates import ServingCertificate
from operator_controller.renderer.certificates.cert_manager import CERT_MANAGER


def test_cert_manager_asks_a_self_signed_issuer_for_two_years() -> None:
    issuer, certificate = CERT_MANAGER.objects(ServingCertificate("op", "ns"))
    name, issuer_name = "op-service-cert", "op-service-cert-selfsigned-issuer"
    assert issuer == {
        "kind": "Issuer",
        "apiVersion": "cert-manager.io/v1",
        "metadata": {"name": issuer_name, "namespace": "ns"},
        "spec": {"selfSigned": {}},
        "status": {},
    }
    assert certificate["metadata"] == {"name": name, "namespace": "ns"}
    assert certificate["spec"] == {
        "commonName": "op-service.ns",
        "duration": "17520h0m0s",
        "renewBefore": "24h0m0s",
        "dnsNames": ["op-service.ns", "op-service.ns.svc", "op-service.ns.svc.cluster.local"],
        "secretName": name,
        "issuerRef": {"name": issuer_name},
        "usages": ["server auth"],
    }
