from __future__ import annotations

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
        "package name is empty",
        'unsupported resource "" with kind "Pod"',
    ]


def test_require_valid_accepts_a_bundle_without_findings() -> None:
    require_valid(a_bundle())
