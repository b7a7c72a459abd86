"""Names of generated Services and certificates within the API's limits. Rule: bundle-rendering.md 15, row 5."""

from __future__ import annotations

from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.improvements.improved import Improved, for_each
from operator_controller.renderer.improvements.webhook_clients import with_services
from operator_controller.renderer.names import SERVICE_NAME_LIMIT, service_name, short_service_name
from operator_controller.renderer.options import Rendering
from operator_controller.renderer.webhooks import served_deployments

__all__ = ["name_limits"]

_COMMON_NAME_LIMIT = 64  # bytes, by X.509


def name_limits(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """A Service whose name has 64 bytes gets one of 63, everywhere; a common name over 64 bytes is left out.

    Only names that the API server would refuse change, so that all others stay those of the reference. Clients look at
    the DNS names of a certificate, never at the common name.
    """
    names = {service_name(name): short_service_name(name) for name, _ in served_deployments(rendering.bundle)}
    renamed = {old: new for old, new in names.items() if len(old.encode()) > SERVICE_NAME_LIMIT}
    return for_each(objects, lambda each: _limited(each, renamed, rendering.install_namespace))


def _limited(manifest: Manifest, renamed: dict[str, str], namespace: str) -> Manifest:
    if manifest["kind"] == "Certificate":
        return _certificate(manifest, renamed)
    if manifest["kind"] == "Service" and name_of(manifest) in renamed:
        return {**manifest, "metadata": {**manifest["metadata"], "name": renamed[name_of(manifest)]}}

    def with_name(service: Manifest) -> Manifest:
        is_ours = service["namespace"] == namespace and service["name"] in renamed
        return {**service, "name": renamed[service["name"]]} if is_ours else service

    return with_services(manifest, with_name)


def _certificate(manifest: Manifest, renamed: dict[str, str]) -> Manifest:
    spec: dict[str, Any] = dict(manifest["spec"])
    spec["dnsNames"] = [_host(name, renamed) for name in spec["dnsNames"]]
    spec["commonName"] = _host(spec["commonName"], renamed)
    if len(spec["commonName"].encode()) > _COMMON_NAME_LIMIT:
        del spec["commonName"]
    return manifest if spec == manifest["spec"] else {**manifest, "spec": spec}


def _host(host: str, renamed: dict[str, str]) -> str:
    service, separator, rest = host.partition(".")
    return f"{renamed.get(service, service)}{separator}{rest}"
