from __future__ import annotations

import base64
import json

import msgspec
import pytest

from olmv1.fbc import Bundle, Property
from operator_controller.resolver import Environment, kubernetes_version
from operator_controller.resolver.environment import Environments

_MODES = [{"type": "OwnNamespace", "supported": True}, {"type": "AllNamespaces", "supported": False}]


def a_property(type_: str, value: object) -> Property:
    return Property(type_, msgspec.Raw(json.dumps(value).encode()))


def an_object(document: object) -> Property:
    return a_property("olm.bundle.object", {"data": base64.b64encode(json.dumps(document).encode()).decode()})


def environment(*properties: Property) -> Environment:
    return Environments().of(Bundle("b", "p", properties=properties))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.28.3", (1, 28, 3)),
        ("v1.28", (1, 28, 0)),
        ("1.28.3-gke.100", (1, 28, 3)),
        ("v1.28.3+k3s1", (1, 28, 3)),
        ("1", None),
        ("", None),
        (">=1.28", None),
        ("1.28.3.4", None),
    ],
)
def test_kubernetes_version_reads_what_clusters_and_bundles_write(
    text: str, expected: tuple[int, int, int] | None
) -> None:
    assert kubernetes_version(text) == expected


def test_environment_is_read_from_the_metadata_of_the_csv() -> None:
    found = environment(a_property("olm.csv.metadata", {"minKubeVersion": "1.25.0", "installModes": _MODES}))
    assert found == Environment((1, 25, 0), "1.25.0", ("OwnNamespace",), has_webhooks=False)


def test_environment_is_read_from_a_csv_among_the_objects() -> None:
    spec = {"minKubeVersion": "1.25.0", "installModes": _MODES, "webhookdefinitions": [{"type": "Validating"}]}
    definition = {"kind": "CustomResourceDefinition", "spec": {"description": "of ClusterServiceVersion"}}
    found = environment(an_object(definition), an_object({"kind": "ClusterServiceVersion", "spec": spec}))
    assert found == Environment((1, 25, 0), "1.25.0", ("OwnNamespace",), has_webhooks=True)


def test_environment_takes_the_highest_of_several_demands() -> None:
    found = environment(
        a_property("olm.kubeversion", {"version": "1.9"}),
        a_property("olm.kubeversion", {"version": "1.28.0"}),
        a_property("olm.csv.metadata", {"minKubeVersion": "1.25.0"}),
    )
    assert found == Environment((1, 28, 0), "1.28.0")


@pytest.mark.parametrize(
    "property_",
    [
        a_property("olm.csv.metadata", ["1.25.0"]),
        a_property("olm.csv.metadata", {"minKubeVersion": 1.25, "installModes": "all"}),
        a_property("olm.csv.metadata", {"minKubeVersion": "soon", "installModes": None}),
        a_property("olm.kubeversion", "1.25.0"),
        a_property("olm.kubeversion", {"version": None}),
        a_property("olm.bundle.object", {"data": "###"}),
        a_property("olm.bundle.object", {"data": "é"}),
        a_property("olm.bundle.object", {"ref": "x"}),
        an_object({"kind": ["ClusterServiceVersion"]}),
        an_object({"kind": "ClusterServiceVersion", "spec": "ClusterServiceVersion"}),
        Property("olm.csv.metadata", msgspec.Raw(b'{"minKubeVersion":')),
    ],
)
def test_environment_of_what_cannot_be_read_asks_for_nothing(property_: Property) -> None:
    assert environment(property_) == Environment()


def test_environments_read_a_bundle_once() -> None:
    environments, bundle = Environments(), Bundle("b", "p")
    assert environments.of(bundle) is environments.of(bundle)
