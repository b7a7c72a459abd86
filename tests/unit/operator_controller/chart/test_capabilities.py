"""Which questions of a chart make its rendering depend on the cluster."""

from __future__ import annotations

import pytest

from olmv1.served import Served
from operator_controller.chart import capabilities_of, still_hold
from tests.charts import a_chart

SERVED = Served("1.36.3", frozenset({("apps", "v1", "Deployment")}))
WITH_MONITORS = Served("1.36.3", SERVED.kinds | {("monitoring.coreos.com", "v1", "PodMonitor")})
NEWER = Served("1.37.0", SERVED.kinds)

MONITORS = '{{ if .Capabilities.APIVersions.Has "monitoring.coreos.com/v1" }}x{{ end }}'
ANYTHING = "{{ if .Capabilities.APIVersions.Has (print .Values.x) }}x{{ end }}"
VERSION = '{{ semverCompare ">=1.30" .Capabilities.KubeVersion.GitVersion }}'


def asked(*templates: str) -> str | None:
    return capabilities_of(a_chart({f"templates/{n}.yaml": text for n, text in enumerate(templates)}), SERVED)


def test_capabilities_of_a_chart_that_asks_nothing() -> None:
    assert asked("kind: x") is None


def test_capabilities_of_a_chart_are_its_questions_with_their_answers() -> None:
    assert asked(MONITORS, VERSION) == '{"apis":{"monitoring.coreos.com/v1":false},"kubeVersion":"1.36.3"}'


@pytest.mark.parametrize(
    ("templates", "served", "expected"),
    [
        pytest.param([], WITH_MONITORS, True, id="asks nothing"),
        pytest.param([MONITORS], SERVED, True, id="nothing changed"),
        pytest.param([MONITORS], NEWER, True, id="another version, not asked for"),
        pytest.param([MONITORS], WITH_MONITORS, False, id="the API came"),
        pytest.param([VERSION], NEWER, False, id="another version"),
        pytest.param([VERSION], WITH_MONITORS, True, id="an API came, not asked for"),
        pytest.param([ANYTHING], WITH_MONITORS, False, id="a question that cannot be read"),
        pytest.param([ANYTHING], SERVED, True, id="a question that cannot be read, nothing changed"),
        pytest.param([MONITORS, VERSION], Served(), True, id="nothing is known of the cluster"),
    ],
)
def test_still_hold_compares_answers(templates: list[str], served: Served, expected: bool) -> None:
    assert still_hold(asked(*templates), served) is expected


@pytest.mark.parametrize("text", ["no", "[]"])
def test_still_hold_passes_over_what_is_not_ours(text: str) -> None:
    assert still_hold(text, SERVED)
