from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.generators.additional_resources import additional_resources
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle


@pytest.mark.parametrize(
    ("given", "rendered"),
    [
        pytest.param(
            {"kind": "Service", "metadata": {"name": "a", "namespace": "other"}, "status": {}},
            {"kind": "Service", "metadata": {"name": "a", "namespace": "ns"}, "status": {}},
            id="moved to the install namespace",
        ),
        pytest.param({"kind": "Secret"}, {"kind": "Secret", "metadata": {"namespace": "ns"}}, id="without metadata"),
        pytest.param(
            {"kind": "ClusterRole", "metadata": {"namespace": "other"}},
            {"kind": "ClusterRole", "metadata": {"namespace": "other"}},
            id="cluster-scoped left as written",
        ),
    ],
)
def test_additional_resources_set_only_the_namespace_of_namespaced_kinds(given: Any, rendered: Any) -> None:
    assert list(additional_resources(Rendering(a_bundle(others=(given,)), "ns", ("",)))) == [rendered]
