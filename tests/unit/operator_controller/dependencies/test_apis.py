from __future__ import annotations

from typing import Any

from olmv1.constraints import Property
from olmv1.served import Served
from operator_controller.dependencies import (
    cluster_scoped,
    crd_names,
    manager_of,
    removed_by,
    required_groups,
    served_by,
)
from tests.requirements import BLUE, a_candidate, an_api, an_extension, group, gvk, needs, needs_api


def a_crd(kind: str, **versions: bool) -> dict[str, Any]:
    return {
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{kind.lower()}s.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": kind},
            "versions": [{"name": name, "served": served} for name, served in versions.items()],
        },
    }


def test_served_by_names_served_versions_of_crds_only() -> None:
    objects = [a_crd("Lamp", v1=True, v1beta1=False), {"kind": "Service"}, {"kind": "CustomResourceDefinition"}]
    assert served_by(objects) == {("example.com", "v1", "Lamp")}


def test_removed_by_a_rollout_is_what_the_bundles_say() -> None:
    own = an_extension("lamp", "1.0.0", an_api(("example.com", "v1", "Lamp")), an_api(("example.com", "v1", "Bulb")))
    candidate = a_candidate("lamp", "2.0.0", an_api(("example.com", "v1", "Lamp")))
    found = removed_by([a_crd("Lamp", v1=True)], candidate, own, Served())
    assert found == {("example.com", "v1", "Bulb")}
    assert removed_by([], candidate, None, Served()) == frozenset()


def test_removed_by_a_rollout_are_versions_that_nobody_named() -> None:
    served = Served(
        "1.36.3", frozenset({("example.com", version, "Lamp") for version in ("v1", "v1beta1", "v1alpha1")})
    )
    found = removed_by([a_crd("Lamp", v1=True, v1beta1=False)], a_candidate("lamp", "2.0.0"), None, served)
    assert found == {("example.com", "v1beta1", "Lamp"), ("example.com", "v1alpha1", "Lamp")}


def test_crd_names_are_sorted() -> None:
    assert crd_names([a_crd("Lamp"), {"kind": "Service"}, a_crd("Bulb")]) == ("bulbs.example.com", "lamps.example.com")


def test_cluster_scoped_objects_are_in_no_namespace() -> None:
    objects = [a_crd("Lamp"), {"kind": "Service", "metadata": {"name": "s", "namespace": "n"}}]
    assert cluster_scoped(objects) == {("CustomResourceDefinition", "lamps.example.com")}


def test_manager_is_an_extension_by_its_labels() -> None:
    labels = {"olm.operatorframework.io/owner-kind": "ClusterExtension", "olm.operatorframework.io/owner-name": "lamp"}
    assert manager_of({"metadata": {"labels": labels}}) == "lamp"
    other = {**labels, "olm.operatorframework.io/owner-kind": "ClusterObjectSet"}
    assert manager_of({"metadata": {"labels": other}}) is None
    assert manager_of({"metadata": {}}) is None


def test_required_groups_are_those_of_requirements_at_any_depth() -> None:
    properties = [
        needs_api(("a.example.com", "v1", "A")),
        needs(group("all", group("not", gvk(BLUE)))),
        an_api(("b.example.com", "v1", "B")),
        Property("olm.gvk.required", {"group": 3}),
        Property("olm.constraint", "x"),
    ]
    assert required_groups(properties) == {"a.example.com", "blues.example.com"}
