from __future__ import annotations

from typing import Any

import pytest

from operator_controller.resolver import index_package
from operator_controller.upgrade_plan import Advisory, AdvisoryKind, Goal
from operator_controller.upgrade_plan.advice import PUBLISHED, advice_on_bundle, published_range
from operator_controller.upgradeability import Minor
from tests.packages import a_package
from tests.upgrade_plans import a_goal, supporting

V12, V16 = Minor(4, 12), Minor(4, 16)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("v4.12-v4.16", (V12, V16)),
        ("v4.12", (V12, None)),
        ("=v4.12", (V12, V12)),
        ("v4.12,v4.16", (V12, None)),
        ("4.12-4.16", (V12, V16)),
        ("v4.12.3", None),
        ("", None),
    ],
)
def test_published_range_is_read(text: str, found: object) -> None:
    assert published_range(text) == found


def advice(goal: Goal, properties: dict[str, Any], kubernetes: str | None = None) -> list[Advisory]:
    bundle = supporting("1.0.0", kubernetes=kubernetes, **properties)
    return list(advice_on_bundle(index_package(a_package([bundle])), bundle, goal))


@pytest.mark.parametrize(
    "properties",
    [{PUBLISHED: "v4.12-v4.18"}, {"olm.csv.metadata": {"annotations": {PUBLISHED: "v4.12-v4.18"}}}],
    ids=["property", "annotation"],
)
def test_published_range_speaks_against_what_is_outside(properties: dict[str, object]) -> None:
    text = 'bundle "p.v1.0.0" is published for OpenShift v4.12-v4.18 only'
    assert advice(a_goal(), properties) == [Advisory(AdvisoryKind.PUBLISHED_RANGE, text)]
    assert advice(a_goal(current="4.17.0"), properties) == []
    assert advice(a_goal("kubernetes=1.36"), properties) == []


def test_bundle_that_needs_a_newer_kubernetes_speaks_against_the_target() -> None:
    text = 'bundle "p.v1.0.0" needs Kubernetes >= 1.33.0, 4.19 has 1.32'
    assert advice(a_goal(), {}, "1.33.0") == [Advisory(AdvisoryKind.KUBERNETES_TOO_OLD, text)]
    assert advice(a_goal("4.20"), {}, "1.33.0") == []


@pytest.mark.parametrize("value", [7, {"annotations": 7}, None])
def test_metadata_of_another_form_tells_nothing(value: object) -> None:
    assert advice(a_goal(), {PUBLISHED: 7, "olm.csv.metadata": value}) == []
