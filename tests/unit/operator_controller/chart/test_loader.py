"""What is a chart that can be installed, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from operator_controller.chart import ChartError, ChartMetadata, parse_chart
from operator_controller.chart.archives import packed
from tests.charts import a_chart, chart_files, chart_yaml

DATABASE = {"charts/db/Chart.yaml": chart_yaml(name="database", version="2.0.0"), "charts/db/values.yaml": b"size: 1\n"}


def test_parse_chart_reads_what_the_description_says() -> None:
    chart = a_chart(appVersion=7, kubeVersion=">=1.30", annotations={"olm.maxOpenShiftVersion": "4.18"})
    assert chart.metadata == ChartMetadata(
        "lantern", "1.0.0", "7", ">=1.30", {"olm.maxOpenShiftVersion": "4.18"}, dependencies=()
    )


def test_parse_chart_finds_charts_inside() -> None:
    chart = a_chart(DATABASE, dependencies=[{"name": "database", "version": "2.0.0"}])
    assert [(path, part.metadata.name) for path, part in chart.family()] == [
        ("", "lantern"),
        ("charts/db/", "database"),
    ]
    assert set(chart.all_files()) == {path.partition("/")[2] for path in chart_files(DATABASE)}


def test_parse_chart_reads_charts_that_are_packed() -> None:
    inside = {path.removeprefix("charts/db/"): data for path, data in DATABASE.items()}
    chart = a_chart({"charts/database-2.0.0.tgz": packed(inside)}, dependencies=[{"name": "database"}])
    (database,) = chart.subcharts
    assert (database.metadata.name, database.files["values.yaml"]) == ("database", b"size: 1\n")


def test_parse_chart_passes_over_what_helm_passes_over() -> None:
    others = {"charts/_off/Chart.yaml": "no", "charts/.x/Chart.yaml": "no", "charts/README.md": "", "charts/a.prov": ""}
    chart = a_chart(others)
    assert (chart.subcharts, "charts/README.md" in chart.files) == ((), True)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"type": "library"}, 'chart "lantern" is a library chart, which has no objects', id="library"),
        pytest.param({"type": "demon"}, 'chart "lantern" has type "demon": expected "application"', id="type"),
        pytest.param({"apiVersion": "v1"}, 'chart "lantern" has apiVersion "v1": expected "v2"', id="Helm 2"),
        pytest.param({"apiVersion": None}, 'chart "lantern" has apiVersion none: expected "v2"', id="no apiVersion"),
        pytest.param({"name": None}, "the chart: Chart.yaml has no name", id="no name"),
        pytest.param({"name": "../x"}, 'the chart: Chart.yaml has the name "../x", which is no file name', id="path"),
        pytest.param({"version": ["1"]}, "the chart: Chart.yaml has version of another type: expected", id="no text"),
        pytest.param({"annotations": {"a": 1}}, "the chart: Chart.yaml has annotations that are not all", id="number"),
        pytest.param({"dependencies": 5}, "the chart: Chart.yaml has dependencies without a name", id="no list"),
        pytest.param({"dependencies": [{}]}, "the chart: Chart.yaml has dependencies without a name", id="nameless"),
        pytest.param(
            {"dependencies": [{"name": "redis"}, {"name": "mail"}]},
            'chart "lantern" declares dependencies that are not in its charts/ folder: mail, redis;',
            id="missing dependencies",
        ),
    ],
)
def test_parse_chart_refuses(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ChartError, match=f"^{re.escape(message)}"):
        a_chart(**changes)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({}, "nothing", id="empty"),
        pytest.param({"Chart.yaml": chart_yaml()}, "Chart.yaml", id="no top folder"),
        pytest.param({"a/Chart.yaml": chart_yaml(), "b/x": b""}, "a, b", id="two top folders"),
        pytest.param({"a/b/Chart.yaml": chart_yaml()}, "a", id="too deep"),
    ],
)
def test_parse_chart_wants_one_top_folder(files: dict[str, bytes], found: str) -> None:
    message = f"a chart with one top folder that holds Chart.yaml was expected, found {found}"
    with pytest.raises(ChartError, match=f"^{re.escape(message)}$"):
        parse_chart(files)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        pytest.param(b"name: [", "the chart: error parsing Chart.yaml", id="no YAML"),
        pytest.param(b"- a\n", "the chart: Chart.yaml was expected to hold one mapping", id="a list"),
        pytest.param(
            b"a: 1\n---\nb: 1\n", "the chart: Chart.yaml was expected to hold one mapping", id="two documents"
        ),
    ],
)
def test_parse_chart_refuses_a_broken_description(data: bytes, message: str) -> None:
    with pytest.raises(ChartError, match=f"^{message}"):
        parse_chart({"lantern/Chart.yaml": data})


def test_parse_chart_names_the_chart_inside_that_is_broken() -> None:
    with pytest.raises(ChartError, match='^chart "db" in charts/ of "lantern" has no Chart.yaml$'):
        a_chart({"charts/db/values.yaml": ""})


def test_parse_chart_bounds_how_deep_charts_lie_in_each_other() -> None:
    deep = "".join("charts/x/" for _ in range(20))
    files = {f"{deep[: 9 * depth]}Chart.yaml": chart_yaml(name="x") for depth in range(1, 21)}
    with pytest.raises(ChartError, match="charts lie in each other more than 16 deep$"):
        a_chart(files)


def test_parse_chart_refuses_names_that_helm_reads_otherwise() -> None:
    with pytest.raises(ChartError, match="^the chart has a file with a backslash in its name: "):
        a_chart({"x\\Chart.yaml": chart_yaml(name="other")})
