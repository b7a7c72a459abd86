from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.improvements.scope import scope
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        ("ValidatingWebhookConfiguration", {"name": "a", "namespace": "ns"}, {"name": "a"}),
        ("MutatingWebhookConfiguration", {"name": "a", "namespace": "ns"}, {"name": "a"}),
        ("ClusterRole", {"name": "a", "namespace": "theirs"}, {"name": "a"}),
        ("CustomResourceDefinition", {"name": "a", "namespace": "theirs"}, {"name": "a"}),
        ("VerticalPodAutoscaler", {"name": "a", "namespace": "theirs"}, {"name": "a", "namespace": "ns"}),
        ("VerticalPodAutoscaler", {"name": "a"}, {"name": "a", "namespace": "ns"}),
        ("Role", {"name": "a", "namespace": "watched"}, {"name": "a", "namespace": "watched"}),
        ("PriorityClass", {"name": "a"}, {"name": "a"}),
    ],
)
def test_scope_gives_a_namespace_to_namespaced_objects_only(kind: str, before: Any, after: Any) -> None:
    given = {"kind": kind, "metadata": before}
    [result] = scope((given,), Rendering(a_bundle(), "ns", ("",))).objects
    assert result == {"kind": kind, "metadata": after}
    assert (result is given) == (before == after)
