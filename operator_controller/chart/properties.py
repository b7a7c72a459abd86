"""The properties of a chart: annotations of Chart.yaml that begin with `olm.`. Rule: helm-charts.md, "properties"."""

from __future__ import annotations

from olmv1.yaml import dump_json
from operator_controller.bundle.properties import ANNOTATION, MergedProperties, merge_properties
from operator_controller.chart.model import Chart

__all__ = ["properties_of"]

_PREFIX = "olm."


def properties_of(chart: Chart) -> MergedProperties:
    """Those of the annotation `olm.properties`, as on a CSV, and one for every other annotation `olm.…` with its text.

    So `olm.maxOpenShiftVersion: "4.18"` may stand by itself; a type that `olm.properties` has already wins over it.
    Raises: BundleError when `olm.properties` is not a JSON list of properties.
    """
    annotations = chart.metadata.annotations
    own = merge_properties(annotations.get(ANNOTATION), None)
    known = {prop.type for prop in own.properties}
    added = [
        {"type": name, "value": text}
        for name, text in sorted(annotations.items())
        if name.startswith(_PREFIX) and name != ANNOTATION and name not in known
    ]
    if not added:
        return own
    return merge_properties(annotations.get(ANNOTATION), dump_json({"properties": added}))
