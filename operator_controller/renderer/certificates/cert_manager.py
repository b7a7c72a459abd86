"""Certificates by cert-manager: a self-signed Issuer and a Certificate per deployment. Rule: bundle-rendering.md 11."""

from __future__ import annotations

from collections.abc import Mapping

from olmv1.manifests import Manifest
from operator_controller.renderer.certificates.provider import Provider, ServingCertificate

__all__ = ["CERT_MANAGER"]

_API_VERSION = "cert-manager.io/v1"
_INJECT = "cert-manager.io/inject-ca-from"
# Two years and one day, as classic OLM; written as the Go duration type writes them.
_DURATION = "17520h0m0s"
_RENEW_BEFORE = "24h0m0s"


def _client_annotations(certificate: ServingCertificate) -> Mapping[str, str]:
    return {_INJECT: f"{certificate.namespace}/{certificate.secret}"}


def _objects(certificate: ServingCertificate) -> tuple[Manifest, ...]:
    issuer = {
        "kind": "Issuer",
        "apiVersion": _API_VERSION,
        "metadata": {"name": certificate.issuer, "namespace": certificate.namespace},
        "spec": {"selfSigned": {}},
        "status": {},
    }
    spec = {
        "commonName": certificate.host,
        "duration": _DURATION,
        "renewBefore": _RENEW_BEFORE,
        "dnsNames": [certificate.host, f"{certificate.host}.svc", f"{certificate.host}.svc.cluster.local"],
        "secretName": certificate.secret,
        "issuerRef": {"name": certificate.issuer},
        "usages": ["server auth"],
    }
    request = {
        "kind": "Certificate",
        "apiVersion": _API_VERSION,
        "metadata": {"name": certificate.secret, "namespace": certificate.namespace},
        "spec": spec,
        "status": {},
    }
    return issuer, request


CERT_MANAGER = Provider(client_annotations=_client_annotations, objects=_objects)
