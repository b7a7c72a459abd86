"""Chart.yaml: read, and refused where nothing that it describes could be installed.

Called by the loader. Rule: helm-charts.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.yaml import YamlError, load_all
from operator_controller.chart.errors import ChartError
from operator_controller.chart.model import ChartMetadata

__all__ = ["metadata_of", "require_application"]

CHART_FILE = "Chart.yaml"


def metadata_of(data: bytes | None, where: str) -> tuple[ChartMetadata, Mapping[str, Any]]:
    """What Chart.yaml says, and the document itself; `where` names the chart in messages.

    Raises: ChartError when the file is missing or holds something else than a chart's description.
    """
    if data is None:
        raise ChartError(f"{where} has no {CHART_FILE}")
    try:
        found = load_all(data.removeprefix(b"\xef\xbb\xbf"), name=CHART_FILE)
    except YamlError as error:
        raise ChartError(f"{where}: {error}") from error
    if len(found) != 1 or not isinstance(found[0], Mapping):
        raise ChartError(f"{where}: {CHART_FILE} was expected to hold one mapping")
    document = found[0]
    metadata = ChartMetadata(
        name=_required(document, "name", where),
        version=_required(document, "version", where),
        app_version=_text(document, "appVersion", where),
        kube_version=_text(document, "kubeVersion", where),
        annotations=_texts(document, "annotations", where),
        dependencies=tuple(_dependencies(document, where)),
    )
    if "/" in metadata.name or metadata.name in (".", ".."):
        raise ChartError(f'{where}: {CHART_FILE} has the name "{metadata.name}", which is no file name')
    return metadata, document


def require_application(document: Mapping[str, Any], name: str) -> None:
    """Accept a chart of the current format that makes objects.

    Raises: ChartError for a library, or a chart in the format of Helm 2.
    """
    version = document.get("apiVersion")
    if version != "v2":
        raise ChartError(
            f'chart "{name}" has apiVersion {_shown(version)}: expected "v2", the format of Helm 3; '
            "charts in the format of Helm 2 are not supported"
        )
    kind = document.get("type") or "application"
    if kind == "library":
        raise ChartError(f'chart "{name}" is a library chart, which has no objects of its own to install')
    if kind != "application":
        raise ChartError(f'chart "{name}" has type {_shown(kind)}: expected "application"')


def _required(document: Mapping[str, Any], key: str, where: str) -> str:
    value = _text(document, key, where)
    if not value:
        raise ChartError(f"{where}: {CHART_FILE} has no {key}")
    return value


def _text(document: Mapping[str, Any], key: str, where: str) -> str:
    value = document.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)  # `appVersion: 1.2`, which Helm takes as well
    if not isinstance(value, str | None):
        raise ChartError(f"{where}: {CHART_FILE} has {key} {_shown(value)}: expected a text")
    return value or ""


def _texts(document: Mapping[str, Any], key: str, where: str) -> Mapping[str, str]:
    found = document.get(key) or {}
    if not isinstance(found, Mapping) or not all(isinstance(value, str) for value in found.values()):
        raise ChartError(f"{where}: {CHART_FILE} has {key} that are not all texts")
    return dict(found)


def _dependencies(document: Mapping[str, Any], where: str) -> list[str]:
    found = document.get("dependencies") or []
    listed = [item for item in found if item is not None] if isinstance(found, list) else [None]
    names = [item.get("name") if isinstance(item, Mapping) else None for item in listed]
    if not all(isinstance(name, str) and name for name in names):
        raise ChartError(f"{where}: {CHART_FILE} has dependencies without a name")
    return [str(name) for name in names]


def _shown(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else "of another type" if value is not None else "none"
