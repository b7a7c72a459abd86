from __future__ import annotations

import re

import pytest

from operator_controller.bundle import BundleError
from operator_controller.renderer.validators import require_valid
from tests.bundles import a_bundle, a_crd


def test_require_valid_gives_all_findings_in_the_order_of_the_rules() -> None:
    bundle = a_bundle(package="", crds=(a_crd(), a_crd()), others=({"kind": "Pod"},))
    with pytest.raises(BundleError) as caught:
        require_valid(bundle)
    assert str(caught.value).split("\n") == [
        "bundle contains duplicate custom resource definition 'things.example.com'",
        "package name is empty (metadata/annotations.yaml)",
        'unsupported resource "" with kind "Pod"',
    ]
    assert caught.value.words == str(caught.value).replace(" (metadata/annotations.yaml)", "")


def test_require_valid_names_the_files_of_findings() -> None:
    bundle = a_bundle(
        crds=(a_crd(), a_crd()),
        crd_paths=("manifests/a.yaml", "manifests/b.yaml"),
        others=({"kind": "Pod", "metadata": {"name": "p"}},),
        other_paths=("manifests/pod.yaml",),
        owned_crds=("missing",),
        csv_path="manifests/csv.yaml",
    )
    with pytest.raises(BundleError) as caught:
        require_valid(bundle)
    assert re.findall(r"\((manifests.*)\)$", str(caught.value), re.MULTILINE) == [
        "manifests/a.yaml, manifests/b.yaml",
        "manifests/csv.yaml, spec.customresourcedefinitions.owned[0]",
        "manifests/pod.yaml",
    ]


def test_require_valid_as_reference_runs_only_the_rules_of_the_reference() -> None:
    bundle = a_bundle(
        crds=({**a_crd(), "apiVersion": "apiextensions.k8s.io/v1beta1"},),
        others=({"apiVersion": "serving.knative.dev/v1", "kind": "Service"},),
    )
    require_valid(bundle, as_reference=True)
    with pytest.raises(BundleError) as caught:
        require_valid(bundle)
    assert str(caught.value).split("\n") == [
        "CustomResourceDefinition things.example.com is apiextensions.k8s.io/v1beta1; only v1 is supported",
        'unsupported resource "" with kind "Service" of API group "serving.knative.dev"',
    ]


def test_require_valid_accepts_a_bundle_without_findings() -> None:
    require_valid(a_bundle())
