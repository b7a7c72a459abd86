from __future__ import annotations

import pytest

from olmv1.errors import RetryableError
from olmv1.manifests import name_of
from operator_controller.bundle import BundleError, parse_bundle
from operator_controller.renderer import ConfigurationError, RenderOptions, render
from tests.bundles import a_bundle, a_crd, a_deployment, a_permission, bundle_files


def test_render_orders_objects_by_generator() -> None:
    bundle = a_bundle(
        permissions=(a_permission("b"),),
        cluster_permissions=(a_permission("a"),),
        crds=(a_crd(),),
        others=({"kind": "Service"},),
        deployments=(a_deployment(),),
        install_modes=frozenset({"OwnNamespace"}),
    )
    assert [manifest["kind"] for manifest in render(bundle, RenderOptions("ns"))] == [
        "ServiceAccount",
        "ServiceAccount",
        "Role",
        "RoleBinding",
        "ClusterRole",
        "ClusterRoleBinding",
        "CustomResourceDefinition",
        "Service",
        "Deployment",
    ]


def test_render_gives_nothing_for_a_bundle_without_content() -> None:
    assert render(a_bundle(), RenderOptions("ns")) == ()


def test_render_applies_the_configuration() -> None:
    config = {"watchNamespace": "other", "deploymentConfig": {"annotations": {"a": "b"}}}
    [deployment] = render(parse_bundle(bundle_files()), RenderOptions("ns", config))
    template_annotations = deployment["spec"]["template"]["metadata"]["annotations"]
    assert deployment["metadata"]["annotations"] == {"a": "b"}
    assert template_annotations == {"olm.targetNamespaces": "other", "olm.operatorNamespace": "ns", "a": "b"}


def test_render_stops_at_the_configuration_before_the_validators() -> None:
    with pytest.raises(ConfigurationError):
        render(a_bundle(package=""), RenderOptions("ns", {"other": 1}))


def test_render_refuses_an_invalid_bundle_for_good() -> None:
    with pytest.raises(BundleError, match=r"^package name is empty$") as caught:
        render(a_bundle(package=""), RenderOptions("ns"))
    assert caught.value.reason == "Blocked"


def test_render_as_reference_retries_an_invalid_bundle() -> None:
    with pytest.raises(RetryableError, match=r"^package name is empty$"):
        render(a_bundle(package=""), RenderOptions("ns", as_reference=True))


def test_render_does_not_touch_the_bundle() -> None:
    files = bundle_files(other={"kind": "Secret", "metadata": {"name": "s"}})
    bundle = parse_bundle(files)
    rendered = render(bundle, RenderOptions("ns", {"deploymentConfig": {"nodeSelector": {"a": "b"}}}))
    assert [name_of(manifest) for manifest in rendered] == ["s", "op"]
    assert bundle == parse_bundle(files)
