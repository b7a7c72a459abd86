from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.generators import GENERATORS
from operator_controller.renderer.improvements.duplicates import duplicates
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_deployment, a_webhook

_LABELS = {"app": "op", "part": "webhook"}


def bundle_with(spec: Any, metadata: Any = None, **webhook: Any) -> Bundle:
    """A bundle whose webhook Service is also among its files, with `spec`."""
    ports = [{"name": "web", "containerPort": 9443}]
    entry = a_deployment(containers=[{"name": "m", "ports": ports}])
    template = {**entry.spec["template"], "metadata": {"labels": _LABELS}}
    entry = replace(entry, spec={**entry.spec, "selector": {"matchLabels": {"app": "op"}}, "template": template})
    authored = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {**(metadata or {}), "name": "op-service"},
        "spec": spec,
    }
    return a_bundle(
        deployments=(entry,), webhooks=(a_webhook(**webhook),), others=(authored,), other_paths=("manifests/svc.yaml",)
    )


def merged(bundle: Bundle) -> Any:
    rendering = Rendering(bundle, "ns", ("",))
    objects = tuple(each for generator in GENERATORS for each in generator(rendering))
    [service] = [each for each in duplicates(objects, rendering).objects if each["kind"] == "Service"]
    return service


def test_webhook_service_takes_labels_annotations_ports_and_fields_of_the_author() -> None:
    spec = {
        "selector": _LABELS,
        "ports": [{"name": "https", "port": 443, "targetPort": "web", "appProtocol": "https"}, {"port": 80}],
        "publishNotReadyAddresses": True,
    }
    metadata = {"labels": {"l": "1"}, "annotations": {"a": "1"}, "creationTimestamp": None}
    service = merged(bundle_with(spec, metadata, containerPort=443, targetPort=9443))
    assert service["metadata"] == {
        "name": "op-service",
        "namespace": "ns",
        "labels": {"l": "1"},
        "annotations": {"a": "1"},
    }
    assert service["spec"] == {
        "selector": {"app": "op"},
        "ports": [{"name": "https", "port": 443, "targetPort": 9443, "appProtocol": "https"}, {"port": 80}],
        "publishNotReadyAddresses": True,
    }


def test_webhook_service_listens_where_the_author_says_when_the_csv_does_not() -> None:
    service = merged(bundle_with({"ports": [{"port": 443, "targetPort": 1993}]}))
    assert service["spec"]["ports"] == [{"name": "443", "port": 443, "targetPort": 1993}]


@pytest.mark.parametrize(
    ("spec", "difference"),
    [
        ({"selector": {"app": "other"}}, "spec.selector"),
        ({"selector": "text"}, "spec.selector"),
        ("text", "spec"),
        ({"ports": "text"}, "spec.ports"),
        ({"ports": [{"port": [1]}]}, "spec.ports"),
        ({"ports": [{"targetPort": 1}]}, "spec.ports"),
        ({"ports": [{"port": 443, "targetPort": 1}]}, "target ports of port 443: 9443 and 1"),
    ],
)
def test_webhook_service_that_leads_elsewhere_is_refused(spec: Any, difference: str) -> None:
    with pytest.raises(BundleError) as caught:
        merged(bundle_with(spec, containerPort=443, targetPort=9443))
    assert str(caught.value) == (
        f'Service "op-service" is in the ClusterServiceVersion and in manifests/svc.yaml with different {difference}'
    )
