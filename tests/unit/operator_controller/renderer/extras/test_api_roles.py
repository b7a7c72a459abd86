from __future__ import annotations

from typing import Any

import pytest

from olmv1.manifests import labels_of, name_of
from operator_controller.bundle import Api
from operator_controller.renderer.extras.api_roles import api_roles
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd

_NAME = "things.example.com"


def roles(*versions: str, is_asked_for: bool = True, **spec: Any) -> list[Any]:
    bundle = a_bundle(
        crds=(a_crd(**spec),),
        owned_crds=(_NAME,) * len(versions) + ("missing.example.com",),
        owned_apis=tuple(Api("example.com", version, "Thing") for version in (*versions, "v1")),
    )
    return list(api_roles(Rendering(bundle, "ns", ("",), has_api_roles=is_asked_for)))


def test_api_roles_are_those_of_classic_olm() -> None:
    admin, edit, view, crdview = roles("v1")
    metadata = {"name": f"{_NAME}-v1-admin", "labels": {"rbac.authorization.k8s.io/aggregate-to-admin": "true"}}
    rule = {"verbs": ["*"], "apiGroups": ["example.com"], "resources": ["things"]}
    version = "rbac.authorization.k8s.io/v1"
    assert admin == {"kind": "ClusterRole", "apiVersion": version, "metadata": metadata, "rules": [rule]}
    assert edit["rules"] == [{**rule, "verbs": ["create", "update", "patch", "delete"]}]
    assert view["rules"] == [{**rule, "verbs": ["get", "list", "watch"]}]
    assert crdview["rules"] == [
        {
            "verbs": ["get"],
            "apiGroups": ["apiextensions.k8s.io"],
            "resources": ["customresourcedefinitions"],
            "resourceNames": [_NAME],
        }
    ]
    assert [list(labels_of(each)) for each in (edit, view, crdview)] == [
        ["rbac.authorization.k8s.io/aggregate-to-edit"],
        ["rbac.authorization.k8s.io/aggregate-to-view"],
        ["rbac.authorization.k8s.io/aggregate-to-view"],
    ]


def test_api_roles_exist_once_per_version() -> None:
    suffixes = ("admin", "edit", "view", "crdview")
    expected = [f"{_NAME}-{version}-{suffix}" for version in ("v1", "v2") for suffix in suffixes]
    assert [name_of(each) for each in roles("v1", "v2", "v1")] == expected


def test_api_roles_of_cluster_scoped_resources_are_not_aggregated() -> None:
    assert [labels_of(each) for each in roles("v1", scope="Cluster")] == [{}, {}, {}, {}]


@pytest.mark.parametrize("versions", [("v1",), ()])
def test_api_roles_are_not_rendered_unasked(versions: tuple[str, ...]) -> None:
    assert roles(*versions, is_asked_for=False) == []
