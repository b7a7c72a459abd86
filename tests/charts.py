"""Helm charts that tests start from: files relative to the root of a chart's archive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from operator_controller.chart import Chart, parse_chart

__all__ = ["CONFIG_MAP", "a_chart", "chart_files", "chart_yaml"]

CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-settings"}
data: {level: "{{ .Values.level }}"}
"""


def chart_yaml(**changes: Any) -> bytes:
    """A Chart.yaml; `changes` replace members, `None` takes one away."""
    members = {"apiVersion": "v2", "name": "lantern", "version": "1.0.0", **changes}
    return yaml.safe_dump({key: value for key, value in members.items() if value is not None}).encode()


def chart_files(files: Mapping[str, str | bytes] | None = None, **changes: Any) -> dict[str, bytes]:
    """A chart with one ConfigMap; `files` are added, relative to the chart's folder."""
    given = {"values.yaml": "level: low\n", "templates/settings.yaml": CONFIG_MAP, **(files or {})}
    texts = {path: data.encode() if isinstance(data, str) else data for path, data in given.items()}
    return {f"lantern/{path}": data for path, data in {"Chart.yaml": chart_yaml(**changes), **texts}.items()}


def a_chart(files: Mapping[str, str | bytes] | None = None, **changes: Any) -> Chart:
    """The same as a value."""
    return parse_chart(chart_files(files, **changes))
