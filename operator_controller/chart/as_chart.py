"""The other way: objects that were rendered from a bundle, as a chart that renders to the same objects.

Called by `olm render --as-chart`. The manifests lie in a file of their own, which one template prints: in the template
itself every `{{` of a manifest would run. Rule: helm-charts.md, "the other way".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from olmv1.manifests import Manifest
from olmv1.versions import Version
from olmv1.yaml import dump_yaml
from operator_controller.bundle import Bundle
from operator_controller.bundle.properties import ANNOTATION
from operator_controller.chart.errors import ChartError

__all__ = ["chart_files", "chart_of_bundle"]

_MANIFESTS = "manifests.yaml"
_FILE_LIMIT = 4 * 1024 * 1024
"""Helm refuses files above 5 MiB."""


def chart_of_bundle(bundle: Bundle, objects: Sequence[Manifest]) -> dict[str, bytes]:
    """The files of a chart with the name, version and properties of `bundle` that renders to `objects`.

    Raises: ChartError when the bundle's version is no version.
    """
    try:
        version = str(Version.parse(bundle.version))
    except ValueError as error:
        raise ChartError(f'bundle "{bundle.csv_name}" has no version that a chart can have: {error}') from error
    properties = bundle.annotations.get(ANNOTATION)
    document = {
        "apiVersion": "v2",
        "name": bundle.package,
        "description": f"{bundle.csv_name}, made from its registry+v1 bundle",
        "type": "application",
        "version": version,
        "appVersion": version,
        **_kube_version(bundle.min_kube_version),
        **({"annotations": {ANNOTATION: properties}} if properties else {}),
    }
    return chart_files(document, objects)


def chart_files(chart_yaml: Mapping[str, Any], objects: Iterable[Manifest]) -> dict[str, bytes]:
    """Path relative to the chart's folder → content."""
    files = {"Chart.yaml": dump_yaml(dict(chart_yaml)).encode(), "values.yaml": b"{}\n"}
    parts = _parts([f"---\n{dump_yaml(_plain(manifest))}".encode() for manifest in objects])
    names = [_MANIFESTS if number == 1 else f"manifests-{number}.yaml" for number in range(1, len(parts) + 1)]
    files |= dict(zip(names, parts, strict=True))
    prints = "".join(f'{{{{ .Files.Get "{name}" }}}}\n' for name in names)
    return {**files, f"templates/{_MANIFESTS}": prints.encode()}


def _kube_version(minimum: str) -> dict[str, str]:
    """A range that also admits the pre-releases that providers make of versions (`1.30.5-gke.1014001`)."""
    try:
        return {"kubeVersion": f">={Version.parse(minimum).without_build()}-0"} if minimum else {}
    except ValueError:
        return {}  # the bundle's own check of the cluster says so


def _parts(documents: Sequence[bytes]) -> list[bytes]:
    """The documents joined to files of a size that Helm reads; mostly one."""
    parts = [b""]
    for document in documents:
        if parts[-1] and len(parts[-1]) + len(document) > _FILE_LIMIT:
            parts.append(b"")
        parts[-1] += document
    return parts


def _plain(value: Any) -> Any:
    """A copy in plain dicts and lists, as the writer of YAML wants them."""
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
