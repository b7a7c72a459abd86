"""Values are checked with the schemas of a chart and of the charts inside it; every finding is told, no value is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from operator_controller.chart import ChartError, ValuesError, has_schema, probe, require_valid
from tests.charts import a_chart, chart_yaml

SCHEMA = json.dumps(
    {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "required": ["level"],
        "properties": {
            "replicas": {"type": "integer", "minimum": 1},
            "password": {"type": "string", "minLength": 12},
            "ports": {"items": {"type": "integer"}},
        },
    }
)
PREFIX = "invalid ClusterExtension configuration: invalid configuration: "
INSIDE: dict[str, str | bytes] = {"charts/db/Chart.yaml": chart_yaml(name="db"), "charts/db/values.schema.json": SCHEMA}


def printed(*parts: tuple[int, str, Any]) -> bytes:
    documents = [json.dumps({"part": number, "place": place, "values": values}) for number, place, values in parts]
    return "\n---\n".join(documents).encode()


def test_has_schema_looks_into_every_part() -> None:
    assert [has_schema(a_chart()), has_schema(a_chart({"values.schema.json": "{}"})), has_schema(a_chart(INSIDE))] == [
        False,
        True,
        True,
    ]


def test_probe_keeps_what_decides_about_values_only() -> None:
    files = probe(
        a_chart({**INSIDE, "templates/x.yaml": "{{ fail }}", "crds/a.yaml": "", "charts/db/values.yaml": "a: 1"})
    )
    assert sorted(files) == [
        "Chart.yaml",
        "charts/db/Chart.yaml",
        "charts/db/templates/values.yaml",
        "charts/db/values.yaml",
        "templates/values.yaml",
        "values.yaml",
    ]


def test_require_valid_accepts_values_that_fit() -> None:
    chart = a_chart({"values.schema.json": SCHEMA})
    require_valid(chart, printed((0, "lantern/templates", {"level": 1, "replicas": 2})))


def test_require_valid_names_the_one_finding() -> None:
    chart = a_chart({"values.schema.json": SCHEMA})
    with pytest.raises(ValuesError) as caught:
        require_valid(chart, printed((0, "lantern/templates", {"level": 1, "replicas": 0})))
    assert str(caught.value) == f'{PREFIX}field "replicas": the value is less than the minimum of 1'
    assert caught.value.reason == "InvalidConfiguration"


def test_require_valid_names_every_finding_of_every_part_and_no_value() -> None:
    chart = a_chart({"values.schema.json": SCHEMA, **INSIDE})
    values = {"password": "hunter2", "ports": [1, "no"]}
    output = printed(
        (0, "lantern/templates", values), (1, "lantern/charts/store/templates", {"level": 1, "replicas": ""})
    )
    with pytest.raises(ValuesError) as caught:
        require_valid(chart, output)
    assert str(caught.value).splitlines() == [
        f"{PREFIX}multiple errors found:",
        '  - field "password": the value is shorter than 12 characters',
        '  - field "ports[1]": the value is not of type "integer"',
        '  - field "store.replicas": the value is not of type "integer"',
        '  - the values: "level" is a required property',
    ]


@pytest.mark.parametrize(
    "schema",
    [
        pytest.param("{", id="no JSON"),
        pytest.param('{"type": "demon"}', id="no schema"),
        pytest.param('{"$ref": "https://example.com/schema.json"}', id="from the network"),
        pytest.param('{"$ref": "file:///etc/passwd"}', id="from the disk"),
    ],
)
def test_require_valid_refuses_a_schema_that_cannot_be_used(schema: str) -> None:
    chart = a_chart({"values.schema.json": schema})
    with pytest.raises(ChartError, match='^values.schema.json of chart "lantern" cannot be used: '):
        require_valid(chart, printed((0, "lantern/templates", {})))
