from __future__ import annotations

from typing import Any

from olmv1.api.names import ANNOTATION_SERVING_CERT
from olmv1.manifests import Manifest
from operator_controller.authorization import Grant, KindMap, RbacSnapshot, Right, needs_of
from tests.bundles import a_crd
from tests.rbac import RBAC, a_binding, a_role, a_rule, an_account, an_object

GET_PODS = a_rule("pods", "get")


def uses(*objects: Manifest) -> set[Right]:
    return {right for use in needs_of(objects, KindMap(), RbacSnapshot()).uses for right in use.rights}


def on(namespace: str, group: str, resource: str, name: str, verbs: str = "create delete patch") -> set[Right]:
    return {Right(namespace, group, resource, name, verb) for verb in verbs.split()}


def grants(*objects: Manifest, rbac: tuple[Manifest, ...] = ()) -> list[Grant]:
    return list(needs_of(objects, KindMap(), RbacSnapshot(rbac)).grants)


def test_needs_are_create_patch_and_delete_of_each_object_by_name() -> None:
    objects = [
        an_object("Deployment", api_version="apps/v1"),
        an_object("PriorityClass", api_version="scheduling.k8s.io/v1"),
    ]
    assert uses(*objects) == on("shop", "apps", "deployments", "till") | on(
        "", "scheduling.k8s.io", "priorityclasses", "till"
    )


def test_needs_of_an_object_that_stays_are_without_delete() -> None:
    kept = an_object("Secret")
    kept["metadata"]["annotations"] = {"helm.sh/resource-policy": "keep"}
    assert uses(kept) == on("shop", "", "secrets", "till", verbs="create patch")


def test_needs_know_custom_resources_of_the_same_bundle() -> None:
    custom = an_object("Thing", "one", api_version="example.com/v1")
    assert uses(a_crd("things"), custom) >= on("shop", "example.com", "things", "one")


def test_needs_hold_the_secret_with_the_certificate_of_a_service() -> None:
    service = an_object("Service")
    service["metadata"]["annotations"] = {ANNOTATION_SERVING_CERT: "till-cert"}
    assert uses(service) == on("shop", "", "services", "till") | on("shop", "", "secrets", "till-cert")


def test_needs_pass_over_what_cannot_be_applied() -> None:
    assert uses(an_object("Secret", namespace=""), an_object("Thing", api_version="example.com/v1")) == set()


def test_role_grants_its_rules_unless_it_may_be_escalated() -> None:
    [role, cluster_role] = grants(a_role("r", GET_PODS, namespace="shop"), a_role("cr", GET_PODS))
    assert (role.rights, role.instead) == (
        (Right("shop", "", "pods", "", "get"),),
        Right("shop", RBAC, "roles", "r", "escalate"),
    )
    assert (cluster_role.rights, cluster_role.instead) == (
        (Right("", "", "pods", "", "get"),),
        Right("", RBAC, "clusterroles", "cr", "escalate"),
    )


def test_binding_grants_the_rules_of_its_role_in_its_scope() -> None:
    bindings = [a_binding("cr", an_account("op")), a_binding("cr", namespace="shop", kind="ClusterRole")]
    [_, wide, narrow] = grants(a_role("cr", GET_PODS), *bindings)
    assert (wide.rights, wide.instead, wide.receivers) == (
        (Right("", "", "pods", "", "get"),),
        Right("", RBAC, "clusterroles", "cr", "bind"),
        ("op",),
    )
    assert (narrow.rights, narrow.instead) == (
        (Right("shop", "", "pods", "", "get"),),
        Right("shop", RBAC, "clusterroles", "cr", "bind"),
    )


def test_binding_takes_the_role_of_the_bundle_before_that_of_the_cluster() -> None:
    live = a_role("r", a_rule("secrets", "get"), namespace="shop")
    binding = a_binding("r", namespace="shop")
    [_, found] = grants(a_role("r", GET_PODS, namespace="shop"), binding, rbac=(live,))
    [alone] = grants(binding, rbac=(live,))
    assert (found.rights, alone.rights) == (
        (Right("shop", "", "pods", "", "get"),),
        (Right("shop", "", "secrets", "", "get"),),
    )


def test_binding_says_that_its_role_is_unknown() -> None:
    [found] = grants(a_binding("gone"))
    assert (found.rights, found.is_unknown) == ((), True)


def an_aggregate(**labels: str) -> dict[str, Any]:
    return a_role("all", GET_PODS, aggregationRule={"clusterRoleSelectors": [{"matchLabels": labels}]})


def test_aggregated_role_grants_everything() -> None:
    [found] = grants(an_aggregate(a="b"))
    every = (Right("", "*", "*", "", "*"), Right(verb="*", url="*"))
    assert (found.rights, found.is_aggregated) == ((Right("", "", "pods", "", "get"), *every), True)


def test_binding_of_an_aggregated_role_grants_what_is_gathered() -> None:
    own = a_role("own", a_rule("secrets", "get"), labels={"a": "b"})
    live = a_role("live", a_rule("nodes", "get"), labels={"a": "b"})
    other = a_role("other", a_rule("nodes", "delete"), labels={"a": "c"})
    *_, found = grants(an_aggregate(a="b"), own, a_binding("all"), rbac=(live, other))
    assert found.rights == tuple(Right("", "", resource, "", "get") for resource in ("pods", "secrets", "nodes"))
