from __future__ import annotations

from operator_controller.renderer.kinds import CLUSTER_SCOPED, NAMESPACED
from operator_controller.renderer.validators.resource_kinds_supported import resource_kinds_supported
from tests.bundles import a_bundle


def test_resource_kinds_supported_accepts_every_known_kind() -> None:
    bundle = a_bundle(others=tuple({"kind": kind} for kind in sorted(NAMESPACED | CLUSTER_SCOPED)))
    assert [each.words for each in resource_kinds_supported(bundle)] == []


def test_resource_kinds_supported_names_others_in_file_order() -> None:
    others = ({"kind": "Pod", "metadata": {"name": "b"}}, {"kind": "Namespace"})
    assert [each.words for each in resource_kinds_supported(a_bundle(others=others))] == [
        'unsupported resource "b" with kind "Pod"',
        'unsupported resource "" with kind "Namespace"',
    ]
