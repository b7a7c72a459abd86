from __future__ import annotations

from typing import Any

import pytest

from olmv1.errors import RetryableError
from olmv1.manifests import name_of
from operator_controller.bundle import BundleError, parse_bundle
from operator_controller.renderer import (
    Certificates,
    ConfigurationError,
    Rendered,
    RenderOptions,
    render,
    render_with_findings,
)
from tests.bundles import a_bundle, a_crd, a_csv, a_deployment, a_permission, a_webhook, bundle_files

_OWNED = {"name": "things.example.com", "version": "v1", "kind": "Thing"}


def test_render_orders_objects_by_generator() -> None:
    bundle = a_bundle(
        permissions=(a_permission("b"),),
        cluster_permissions=(a_permission("a"),),
        crds=(a_crd(),),
        others=({"kind": "Service", "metadata": {"name": "a"}},),
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
    with pytest.raises(BundleError) as caught:
        render(a_bundle(package=""), RenderOptions("ns"))
    assert (str(caught.value), caught.value.reason) == ("package name is empty (metadata/annotations.yaml)", "Blocked")


def test_render_as_reference_retries_an_invalid_bundle() -> None:
    with pytest.raises(RetryableError, match=r"^package name is empty$"):
        render(a_bundle(package=""), RenderOptions("ns", as_reference=True))


def test_render_does_not_touch_the_bundle() -> None:
    files = bundle_files(other={"kind": "Secret", "metadata": {"name": "s"}})
    bundle = parse_bundle(files)
    rendered = render(bundle, RenderOptions("ns", {"deploymentConfig": {"nodeSelector": {"a": "b"}}}))
    assert [name_of(manifest) for manifest in rendered] == ["s", "op"]
    assert bundle == parse_bundle(files)


def test_render_with_findings_collects_the_warnings_of_loading_and_improving() -> None:
    rendered = render_with_findings(a_bundle(warnings=("first",)), RenderOptions("ns"))
    empty = 'bundle "op.v1.0.0" installs nothing: it has no deployments, no CRDs and no other objects'
    assert rendered == Rendered((), ("first", empty))
    assert render_with_findings(a_bundle(warnings=("first",)), RenderOptions("ns", as_reference=True)) == Rendered(())


def test_render_as_reference_adds_no_extra() -> None:
    bundle = parse_bundle(bundle_files(a_csv(customresourcedefinitions={"owned": [_OWNED]}), crd=a_crd()))
    extras: Any = {"api_roles": True, "proxy": {"NO_PROXY": "x"}, "operator_condition": True}
    plain = render(bundle, RenderOptions("ns", as_reference=True))
    assert render(bundle, RenderOptions("ns", as_reference=True, **extras)) == plain
    ours = render(bundle, RenderOptions("ns", **extras))
    [container] = ours[1]["spec"]["template"]["spec"]["containers"]
    assert [each["name"] for each in container["env"]] == ["NO_PROXY", "OPERATOR_CONDITION_NAME"]
    kinds = [each["kind"] for each in ours[2:]]
    assert kinds == ["ClusterRole"] * 4 + ["Role", "RoleBinding"]


def test_render_as_reference_retries_what_a_generator_refuses() -> None:
    webhook = a_webhook("c", "Conversion", conversionCRDs=["things.example.com"])
    members: Any = {
        "crds": (a_crd(preserveUnknownFields=True),),
        "owned_crds": ("things.example.com",),
        "deployments": (a_deployment(),),
        "webhooks": (webhook,),
    }
    options = RenderOptions("ns", as_reference=True, certificates=Certificates.SELF_SIGNED)
    with pytest.raises(RetryableError, match=r"^custom resource definition 'things.example.com' must have"):
        render(a_bundle(**members), options)
