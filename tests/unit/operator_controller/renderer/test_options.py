from __future__ import annotations

import pytest

from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle


@pytest.mark.parametrize(("targets", "answer"), [(("",), True), (("ns",), False), (("", "ns"), False)])
def test_rendering_is_cluster_wide_only_for_all_namespaces(targets: tuple[str, ...], answer: bool) -> None:
    assert Rendering(a_bundle(), "ns", targets).is_cluster_wide is answer
