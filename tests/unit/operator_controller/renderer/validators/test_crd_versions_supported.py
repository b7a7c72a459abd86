from __future__ import annotations

from operator_controller.renderer.validators.crd_versions_supported import crd_versions_supported
from operator_controller.renderer.validators.finding import Finding
from tests.bundles import a_bundle, a_crd


def test_crd_versions_supported_names_the_old_ones_in_file_order() -> None:
    old = {**a_crd("olds"), "apiVersion": "apiextensions.k8s.io/v1beta1"}
    unknown = {key: value for key, value in a_crd("bares").items() if key != "apiVersion"}
    bundle = a_bundle(crds=(a_crd(), old, unknown), crd_paths=("a", "b", "c"))
    text = "CustomResourceDefinition olds.example.com is apiextensions.k8s.io/v1beta1; only v1 is supported"
    assert list(crd_versions_supported(bundle)) == [Finding(text, "b")]
