"""Alerts and dashboard are made of series that docs/metrics.md lists.

An API test compares that list with the processes.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.monitoring import ROOT, alerts, dashboard, documented, grouped, selectors

# What Prometheus itself adds to every series.
OF_THE_SCRAPE = frozenset({"job", "instance", "namespace", "pod", "service", "endpoint"})
LABELS = {
    sample: series.labels | OF_THE_SCRAPE | ({"le"} if sample.endswith("_bucket") else frozenset())
    for series in documented().values()
    for sample in series.samples
}
ALERTS = alerts()
PANELS = [panel for panel in dashboard()["panels"] if panel["type"] != "row"]
EXPRESSIONS = [
    *(pytest.param(rule["expr"], id=rule["alert"]) for rule in ALERTS),
    *(
        pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
        for panel in PANELS
        for target in panel["targets"]
    ),
]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression_asks_for_series_and_labels_that_there_are(expression: str) -> None:
    asked = selectors(expression)
    assert asked
    assert {each.name for each in asked} <= LABELS.keys()
    assert [each for each in asked if not each.labels <= LABELS[each.name]] == []
    assert grouped(expression) <= frozenset[str]().union(*(LABELS[each.name] for each in asked))


def named(rule: dict[str, Any]) -> str:
    return str(rule["alert"])


@pytest.mark.parametrize("rule", ALERTS, ids=named)
def test_alert_tells_what_it_knows(rule: dict[str, Any]) -> None:
    assert rule["labels"]["severity"] in {"info", "warning", "critical"}
    assert rule.keys() <= {"alert", "expr", "for", "labels", "annotations"}
    assert rule["annotations"].keys() == {"summary", "description"}
    told = set(re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values())))
    # What is not grouped keeps the labels of its series.
    kept = grouped(rule["expr"]) or LABELS[selectors(rule["expr"])[0].name]
    assert told <= kept


def test_alerts_have_names_of_their_own_and_one_is_about_abnormal_extensions() -> None:
    names = [rule["alert"] for rule in ALERTS]
    assert len(names) == len(set(names))
    assert [rule for rule in ALERTS if "olm_extension_abnormal" in rule["expr"]]


def test_panels_do_not_overlap_and_read_from_the_chosen_prometheus() -> None:
    taken = [
        (x, y)
        for panel in dashboard()["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) < 24
    assert len({panel["id"] for panel in dashboard()["panels"]}) == len(dashboard()["panels"])
    sources = {panel["datasource"]["uid"] for panel in PANELS}
    assert sources == {f"${{{variable['name']}}}" for variable in dashboard()["templating"]["list"]}


def test_every_alert_is_documented_as_it_is() -> None:
    text = (ROOT / "docs" / "monitoring.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(Olm\w+)` \| (\w*) ?\| (\w+) \|", text, re.MULTILINE)
    assert rows == [(rule["alert"], rule.get("for", ""), rule["labels"]["severity"]) for rule in ALERTS]
