from __future__ import annotations

from operator_controller.renderer.validators.owned_crds_present import owned_crds_present
from tests.bundles import a_bundle, a_crd


def test_owned_crds_present_names_the_missing_ones_sorted() -> None:
    bundle = a_bundle(crds=(a_crd("things"), a_crd("unowned")), owned_crds=("things.example.com", "b", "a"))
    text = "cluster service definition references owned custom resource definition '{}' not found in bundle"
    assert [each.words for each in owned_crds_present(bundle)] == [text.format("a"), text.format("b")]
