from __future__ import annotations

import pytest

from olmv1.manifests import ObjectKey, key_of
from operator_controller.authorization import KindMap, MappedKind, unmapped
from tests.bundles import a_crd
from tests.rbac import an_object


def a_key(group: str, kind: str) -> ObjectKey:
    return ObjectKey(group, "v1", kind, "", "x")


@pytest.mark.parametrize(
    ("group", "kind", "mapped"),
    [
        ("", "ConfigMap", MappedKind("", "configmaps", True)),
        ("", "Namespace", MappedKind("", "namespaces", False)),
        ("apps", "Deployment", MappedKind("apps", "deployments", True)),
        ("storage.k8s.io", "StorageClass", MappedKind("storage.k8s.io", "storageclasses", False)),
        ("apps", "ConfigMap", None),
    ],
)
def test_kind_map_knows_the_kinds_of_every_cluster(group: str, kind: str, mapped: MappedKind | None) -> None:
    assert KindMap().find(a_key(group, kind)) == mapped


def test_kind_map_prefers_definitions_among_the_objects_to_what_is_served() -> None:
    served = KindMap(
        [("Thing", MappedKind("example.com", "thingies", True)), ("Other", MappedKind("x", "others", True))]
    )
    both = served.with_definitions([a_crd("things", scope="Cluster"), an_object("Secret")])
    assert both.find(a_key("example.com", "Thing")) == MappedKind("example.com", "things", False)
    assert both.find(a_key("x", "Other")) == MappedKind("x", "others", True)
    assert served.find(a_key("example.com", "Thing")) == MappedKind("example.com", "thingies", True)


def test_unmapped_names_every_object_of_an_unknown_kind() -> None:
    objects = [an_object("Secret"), an_object("Thing", "one", api_version="example.com/v1"), a_crd("lamps")]
    custom = an_object("Lamp", api_version="example.com/v1")
    assert key_of(custom).kind == "Lamp"
    assert unmapped([*objects, custom], KindMap()) == (
        "could not get REST mapping for object 1 in manifest with GVK example.com/v1, Kind=Thing (name: one): "
        'no matches for kind "Thing" in version "example.com/v1"',
    )
