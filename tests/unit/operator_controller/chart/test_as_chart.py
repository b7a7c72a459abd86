"""Bundles as charts: what is written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from olmv1.yaml import load_all
from operator_controller.bundle import Bundle
from operator_controller.chart import ChartError, as_chart, chart_of_bundle
from operator_controller.chart.as_chart import chart_files

BUNDLE = Bundle("lantern", "lantern.v1.2.0", "1.2.0", "1.30.0", annotations={"olm.properties": "[]"})
OBJECTS = ({"kind": "ConfigMap", "data": {"a": "{{ fail }}\n---\nb: yes\n"}}, {"kind": "Secret", "list": ({"a": 1},)})


def test_chart_of_bundle_describes_the_bundle() -> None:
    (described,) = load_all(chart_of_bundle(BUNDLE, OBJECTS)["Chart.yaml"])
    assert described == {
        "apiVersion": "v2",
        "name": "lantern",
        "description": "lantern.v1.2.0, made from its registry+v1 bundle",
        "type": "application",
        "version": "1.2.0",
        "appVersion": "1.2.0",
        "kubeVersion": ">=1.30.0-0",
        "annotations": {"olm.properties": "[]"},
    }


def test_chart_of_bundle_keeps_manifests_out_of_templates() -> None:
    files = chart_of_bundle(BUNDLE, OBJECTS)
    assert files["templates/manifests.yaml"] == b'{{ .Files.Get "manifests.yaml" }}\n'
    assert load_all(files["manifests.yaml"]) == [OBJECTS[0], {"kind": "Secret", "list": [{"a": 1}]}]


@pytest.mark.parametrize("minimum", ["", "new"])
def test_chart_of_bundle_asks_for_no_kubernetes_without_a_version(minimum: str) -> None:
    (described,) = load_all(chart_of_bundle(replace(BUNDLE, min_kube_version=minimum), OBJECTS)["Chart.yaml"])
    assert "kubeVersion" not in described


def test_chart_of_bundle_refuses_a_bundle_without_a_version() -> None:
    with pytest.raises(ChartError, match='^bundle "lantern.v1.2.0" has no version that a chart can have: '):
        chart_of_bundle(replace(BUNDLE, version=""), OBJECTS)


def test_chart_files_divides_what_helm_would_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert as_chart._FILE_LIMIT < 5 * 1024 * 1024
    monkeypatch.setattr(as_chart, "_FILE_LIMIT", 4096)
    large = [{"kind": "ConfigMap", "data": {"a": "x" * 3000}}] * 2
    files = chart_files({"name": "x"}, large)
    assert files["templates/manifests.yaml"].split() == [
        b"{{", b".Files.Get", b'"manifests.yaml"', b"}}", b"{{", b".Files.Get", b'"manifests-2.yaml"', b"}}"
    ]  # fmt: skip
    assert max(map(len, files.values())) <= 4096
