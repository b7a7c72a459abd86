"""From what helm printed to the objects of a chart. Rule: helm-charts.md, "hooks" and "empty result"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from olmv1.manifests import Manifest, key_of, name_of
from olmv1.served import Served
from operator_controller.bundle.documents import documents_of
from operator_controller.bundle.errors import BundleError
from operator_controller.chart import notes
from operator_controller.chart.errors import ChartError
from operator_controller.chart.hooks import without_hooks
from operator_controller.chart.scopes import placed

__all__ = ["Place", "RenderedChart", "read_output"]


_QUOTED_OBJECT = re.compile(r"(Object 'Kind' is missing) in '.*'", re.DOTALL)
"""What was rendered has the user's values in it, which may be secret: a message must not repeat it."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the objects go, and what becomes of hooks."""

    namespace: str
    served: Served
    ignore_hooks: bool = False


@dataclass(frozen=True, slots=True)
class RenderedChart:
    """The objects to apply, in Helm's order; `notes` is the chart's text for the user."""

    objects: tuple[Manifest, ...]
    notes: str | None
    warnings: tuple[str, ...]


def read_output(chart_name: str, output: bytes, place: Place) -> RenderedChart:
    """What `helm template` printed, as objects.

    Raises: ChartError when something is no object, is a hook, or when there is nothing at all.
    """
    try:
        found = [document.manifest for document in documents_of(f"chart {chart_name}", output)]
    except BundleError as error:
        raise ChartError(_QUOTED_OBJECT.sub(r"\1", str(error))) from error
    others, text = notes.taken_from(found)
    kept, warnings = without_hooks(others, chart_name, ignore=place.ignore_hooks)
    if not kept:
        raise ChartError(f'chart "{chart_name}" renders no objects with this configuration')
    _require_identity(kept, chart_name)
    return RenderedChart(placed(kept, place.namespace, place.served), text, warnings)


def _require_identity(objects: Iterable[Manifest], chart_name: str) -> None:
    """Every object needs a name of its own: what the server would generate could be neither repaired nor removed."""
    nameless = sorted({key_of(manifest).kind for manifest in objects if not name_of(manifest)})
    if nameless:
        raise ChartError(f'chart "{chart_name}" renders objects without metadata.name: {", ".join(nameless)}')
