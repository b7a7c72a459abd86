from __future__ import annotations

from operator_controller.renderer.validators.crd_names_unique import crd_names_unique
from tests.bundles import a_bundle, a_crd


def test_crd_names_unique_names_each_repeated_name_once_sorted() -> None:
    bundle = a_bundle(crds=tuple(a_crd(name) for name in "bbaac"))
    assert [each.words for each in crd_names_unique(bundle)] == [
        "bundle contains duplicate custom resource definition 'a.example.com'",
        "bundle contains duplicate custom resource definition 'b.example.com'",
    ]
