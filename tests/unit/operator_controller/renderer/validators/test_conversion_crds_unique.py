from __future__ import annotations

from operator_controller.renderer.validators.conversion_crds_unique import conversion_crds_unique
from tests.bundles import a_bundle, a_webhook


def test_conversion_crds_unique_names_every_mention_of_a_shared_crd() -> None:
    webhooks = (
        a_webhook("b", "Conversion", conversionCRDs=["z", "y", "y"]),
        a_webhook("a", "Conversion", conversionCRDs=["z", "x"]),
        a_webhook("v", conversionCRDs=["x"]),
        a_webhook("none", "Conversion"),
    )
    assert [each.words for each in conversion_crds_unique(a_bundle(webhooks=webhooks))] == [
        "conversion webhooks [b,b] reference same custom resource definition 'y'",
        "conversion webhooks [a,b] reference same custom resource definition 'z'",
    ]
