from __future__ import annotations

from operator_controller.renderer.generators.crds import crds
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_crd


def test_crds_stay_as_written_in_file_order() -> None:
    given = (a_crd("bees"), a_crd("ants"))
    assert tuple(crds(Rendering(a_bundle(crds=given), "ns", ("",)))) == given
