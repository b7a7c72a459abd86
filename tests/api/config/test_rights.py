"""What the accounts of the two components may do, as the API server answers it with `config/rbac` applied."""

from __future__ import annotations

import pytest

from olmv1.kube.client import KubeClient

pytestmark = pytest.mark.api

REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews"
OLM = "olm.operatorframework.io"
SYSTEM = "olmv1-system"


async def allowed(client: KubeClient, component: str, requests: list[str]) -> list[str]:
    """Those of `requests` (`verb group/resource[/subresource] [namespace[/name]]`) that the account may make."""
    user = f"system:serviceaccount:{SYSTEM}:{component}-controller-manager"
    groups = ["system:serviceaccounts", f"system:serviceaccounts:{SYSTEM}", "system:authenticated"]
    found = []
    for request in requests:
        verb, what, *where = request.split()
        group, resource, *sub = what.split("/")
        namespace, _, name = (where[0] if where else "").partition("/")
        attributes = {"verb": verb, "group": group, "resource": resource, "subresource": "".join(sub)}
        asked = {**attributes, "namespace": namespace, "name": name}
        spec = {"user": user, "groups": groups, "resourceAttributes": asked}
        body = {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "spec": spec}
        answer = await client.post(REVIEWS, body)
        found.extend([request] if answer["status"]["allowed"] else [])
    return found


BOTH_MAY = [
    "create authentication.k8s.io/tokenreviews",
    "create authorization.k8s.io/subjectaccessreviews",
    f"create coordination.k8s.io/leases {SYSTEM}",
    "create events.k8s.io/events default",
    "patch events.k8s.io/events default/x",
    f"watch /secrets {SYSTEM}",
    f"watch /serviceaccounts {SYSTEM}",
    f"watch {OLM}/clustercatalogs",
]
NOBODY_MAY = [
    "create /secrets shop",
    "update /secrets shop",
    f"update coordination.k8s.io/leases {SYSTEM}/other",
    "create apps/deployments shop",
    "patch apps/deployments shop/till",
    "delete apps/deployments shop/till",
    "patch apiextensions.k8s.io/customresourcedefinitions",
    "create /serviceaccounts/token shop/installer",
    "impersonate /users",
    "impersonate /groups",
    "bind rbac.authorization.k8s.io/clusterroles",
    "escalate rbac.authorization.k8s.io/clusterroles",
    "create rbac.authorization.k8s.io/clusterrolebindings",
    f"create {OLM}/clusterextensions",
    f"delete {OLM}/clusterextensions",
    f"create {OLM}/clustercatalogs",
    f"delete {OLM}/clustercatalogs",
    "create events.k8s.io/events shop",
]
CATALOGD_MAY = [
    f"patch {OLM}/clustercatalogs",
    f"update {OLM}/clustercatalogs/status",
    f"get coordination.k8s.io/leases {SYSTEM}/catalogd-operator-lock",
    f"update coordination.k8s.io/leases {SYSTEM}/catalogd-operator-lock",
    f"create /secrets {SYSTEM}/catalogd-serving",
    f"patch /secrets {SYSTEM}/catalogd-serving",
]
CONTROLLER_MAY = [
    "watch apps/deployments",
    "get /secrets shop/any",
    "list rbac.authorization.k8s.io/rolebindings",
    "impersonate /serviceaccounts shop/installer",
    f"patch {OLM}/clusterextensions",
    f"update {OLM}/clusterextensions/status",
    f"update {OLM}/clusterextensions/finalizers",
    f"create {OLM}/clusterobjectsets",
    f"patch {OLM}/clusterobjectsets",
    f"delete {OLM}/clusterobjectsets",
    f"patch {OLM}/clusterobjectsets/status",
    f"update {OLM}/clusterobjectsets/finalizers",
    f"create /secrets {SYSTEM}",
    f"patch /secrets {SYSTEM}/x",
    f"delete /secrets {SYSTEM}/x",
    f"update coordination.k8s.io/leases {SYSTEM}/9c4404e7.operatorframework.io",
]


@pytest.mark.parametrize(
    ("component", "may", "may_not"),
    [
        pytest.param("catalogd", CATALOGD_MAY, CONTROLLER_MAY, id="catalogd"),
        pytest.param("operator-controller", CONTROLLER_MAY, CATALOGD_MAY[:2], id="operator-controller"),
    ],
)
async def test_component_may_do_its_work_and_nothing_else(
    client: KubeClient, component: str, may: list[str], may_not: list[str]
) -> None:
    requests = [*BOTH_MAY, *may, *may_not, *NOBODY_MAY]
    assert await allowed(client, component, requests) == [*BOTH_MAY, *may]
