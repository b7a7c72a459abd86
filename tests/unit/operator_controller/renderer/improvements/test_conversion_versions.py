from __future__ import annotations

from operator_controller.renderer.improvements.conversion_versions import conversion_versions
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd, a_webhook


def test_conversion_versions_warns_of_a_converted_crd_with_one_version() -> None:
    one, two, free = a_crd("ones", versions=[{}]), a_crd("twos", versions=[{}, {}]), a_crd("frees", versions=[{}])
    webhook = a_webhook("c", "Conversion", conversionCRDs=["ones.example.com", "twos.example.com"])
    rendering = Rendering(a_bundle(crds=(one, two, free), webhooks=(webhook,)), "ns", ("",))
    result = conversion_versions((one,), rendering)
    assert result.objects == (one,)
    assert result.warnings == (
        'conversion webhook "c" is not needed: CustomResourceDefinition "ones.example.com" has one version only',
    )
