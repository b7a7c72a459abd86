from __future__ import annotations

import pytest

from olmv1.kube.resources import CLUSTER_EXTENSIONS, CLUSTER_ROLES, DEPLOYMENTS, SECRETS, Resource


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        pytest.param(SECRETS.path(), "/api/v1/secrets", id="all namespaces"),
        pytest.param(SECRETS.path("shop"), "/api/v1/namespaces/shop/secrets", id="one namespace"),
        pytest.param(SECRETS.path("shop", "till"), "/api/v1/namespaces/shop/secrets/till", id="one object"),
        pytest.param(
            DEPLOYMENTS.path("shop", "till", "scale"),
            "/apis/apps/v1/namespaces/shop/deployments/till/scale",
            id="subresource",
        ),
        pytest.param(
            CLUSTER_EXTENSIONS.path("ignored", "till", "status"),
            "/apis/olm.operatorframework.io/v1/clusterextensions/till/status",
            id="cluster-scoped",
        ),
        pytest.param(
            CLUSTER_ROLES.path(name="system:a b/c"),
            "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:a%20b%2Fc",
            id="quoted",
        ),
    ],
)
def test_path_names_what_is_asked_for(path: str, expected: str) -> None:
    assert path == expected


def test_path_refuses_a_namespaced_object_without_namespace() -> None:
    with pytest.raises(ValueError, match=r'^Secret "till" is namespaced: expected a namespace, found none$'):
        SECRETS.path(name="till")


@pytest.mark.parametrize(
    ("resource", "api_version"),
    [pytest.param(SECRETS, "v1", id="core group"), pytest.param(DEPLOYMENTS, "apps/v1", id="named group")],
)
def test_api_version_is_what_manifests_say(resource: Resource, api_version: str) -> None:
    assert resource.api_version == api_version
