from __future__ import annotations

from operator_controller.renderer.validators.conversion_crds_owned import conversion_crds_owned
from tests.bundles import a_bundle, a_webhook


def test_conversion_crds_owned_sorts_by_webhook_and_crd() -> None:
    webhooks = (
        a_webhook("b", "Conversion", conversionCRDs=["z", "owned", "y"]),
        a_webhook("a", "Conversion", conversionCRDs=["z"]),
    )
    text = "conversion webhook '{}' references custom resource definition '{}' not owned bundle"
    assert [each.words for each in conversion_crds_owned(a_bundle(webhooks=webhooks, owned_crds=("owned",)))] == [
        text.format("a", "z"),
        text.format("b", "y"),
        text.format("b", "z"),
    ]
