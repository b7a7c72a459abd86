"""Helm charts as values: read, checked, and turned into objects. Pure: helm itself is run by the room `contents`.

`parse_chart` is the way in. The checks before rendering are `require_version`, `require_fits` and, on what a probe of
the chart printed, `require_valid`; `read_output` makes objects of what helm printed. Rule: helm-charts.md.
"""

from __future__ import annotations

from operator_controller.chart.as_chart import chart_of_bundle
from operator_controller.chart.capabilities import capabilities_of, still_hold
from operator_controller.chart.errors import ChartError, ValuesError
from operator_controller.chart.hooks import ANNOTATION_CHART_HOOKS, IGNORE_HOOKS
from operator_controller.chart.installable import require_fits, require_version
from operator_controller.chart.loader import parse_chart
from operator_controller.chart.model import Chart, ChartMetadata
from operator_controller.chart.output import Place, RenderedChart, read_output
from operator_controller.chart.properties import properties_of
from operator_controller.chart.release_name import release_name_of
from operator_controller.chart.values import has_schema, probe, require_valid

__all__ = [
    "ANNOTATION_CHART_HOOKS",
    "IGNORE_HOOKS",
    "Chart",
    "ChartError",
    "ChartMetadata",
    "Place",
    "RenderedChart",
    "ValuesError",
    "capabilities_of",
    "chart_of_bundle",
    "has_schema",
    "parse_chart",
    "probe",
    "properties_of",
    "read_output",
    "release_name_of",
    "require_fits",
    "require_valid",
    "require_version",
    "still_hold",
]
