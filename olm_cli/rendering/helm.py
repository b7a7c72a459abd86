"""`olm render` of a Helm chart. Imported only when there is one: the room that runs helm comes with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from olm_cli.rendering.places import Found
from olmv1.served import Served
from operator_controller.chart import parse_chart, properties_of
from operator_controller.contents import ContentOptions, Helm, HelmChart, Rendered, render_content

__all__ = ["ChartRequest", "chart_in", "render_chart"]

_KUBE_VERSION = "1.36.3"
"""The newest version that we are tested with; helm itself would take one that modern charts refuse."""


@dataclass(frozen=True, slots=True)
class ChartRequest:
    """What an extension would say about a chart.

    `extension` is its name, empty for that of the chart; `kube_version` the cluster's, empty for the newest we know.
    """

    namespace: str
    extension: str = ""
    config: Mapping[str, Any] | None = None
    kube_version: str = ""


def chart_in(found: Found) -> HelmChart:
    """The chart that was found.

    Raises:
        TerminalError: it is none that can be installed.
    """
    chart = parse_chart(found.files)
    return HelmChart(chart, properties_of(chart))


async def render_chart(content: HelmChart, request: ChartRequest) -> Rendered:
    """The objects that the controller would apply for the chart on a cluster that serves no kinds of its own.

    Raises:
        TerminalError: it cannot be installed so; the reason tells the chart from its values.
        RetryableError: helm is missing or took too long.
    """
    options = ContentOptions(
        extension=request.extension or content.chart.metadata.name,
        namespace=request.namespace,
        config=request.config,
        served=Served((request.kube_version or _KUBE_VERSION).removeprefix("v")),
    )
    return await render_content(content, options, Helm())
