"""Whether a chart is what the catalog promised, and fits the cluster; asked before anything is rendered."""

from __future__ import annotations

from olmv1.versions import Range, RangeError, Version
from operator_controller.chart.errors import ChartError
from operator_controller.chart.model import Chart

__all__ = ["require_fits", "require_version"]


def require_version(chart: Chart, bundle_version: str) -> None:
    """The chart must have the version of the bundle that points to it; build metadata is no part of it.

    A leading `v`, which Helm allows and catalogs do not, is passed over.
    Raises: ChartError with both. Rule: helm-charts.md, "version".
    """
    found = chart.metadata.version
    try:
        is_same = Version.parse(found.removeprefix("v")) == Version.parse(bundle_version)
    except ValueError:
        is_same = found == bundle_version
    if not is_same:
        raise ChartError(f'chart version "{found}" does not match bundle version "{bundle_version}"')


def require_fits(chart: Chart, kube_version: str) -> None:
    """The chart's `kubeVersion` must admit the cluster's version (empty: unknown, then nothing is asked).

    Raises: ChartError with both. Rule: helm-charts.md, "kubeVersion".
    """
    wanted = chart.metadata.kube_version
    if not wanted or not kube_version:
        return
    try:
        admitted, version = Range.parse(wanted), Version.parse(kube_version)
    except RangeError as error:
        raise ChartError(
            f'chart "{chart.metadata.name}" has kubeVersion "{wanted}", which is no range: {error}'
        ) from error
    if not admitted.contains(version):
        raise ChartError(
            f'chart "{chart.metadata.name}" needs Kubernetes "{wanted}", this cluster has version "{kube_version}"'
        )
