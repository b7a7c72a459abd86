"""Certificates by the service CA of OpenShift: annotations only. Rule: bundle-rendering.md 11."""

from __future__ import annotations

from collections.abc import Mapping

from operator_controller.renderer.certificates.provider import Provider, ServingCertificate

__all__ = ["SERVICE_CA"]

_INJECT = "service.beta.openshift.io/inject-cabundle"
_SERVING = "service.beta.openshift.io/serving-cert-secret-name"


def _client_annotations(_: ServingCertificate) -> Mapping[str, str]:
    return {_INJECT: "true"}


def _service_annotations(certificate: ServingCertificate) -> Mapping[str, str]:
    return {_SERVING: certificate.secret}


SERVICE_CA = Provider(client_annotations=_client_annotations, service_annotations=_service_annotations)
