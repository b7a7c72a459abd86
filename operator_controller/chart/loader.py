"""From the files of a chart's image to a chart. Reads nothing: the shell hands over the files.

Called by the room `contents`. Rule: helm-charts.md, "archive", "type" and "dependencies".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from operator_controller.chart.archives import MAX_UNPACKED_BYTES, unpacked
from operator_controller.chart.errors import ChartError
from operator_controller.chart.metadata import CHART_FILE, metadata_of, require_application
from operator_controller.chart.model import Chart

__all__ = ["parse_chart"]

_CHARTS = "charts/"
_PACKED = ".tgz"
_MAX_DEPTH = 16


def parse_chart(files: Mapping[str, bytes]) -> Chart:
    """The chart in `files`: path relative to the root of the archive → content.

    Raises: ChartError when they are no chart that can be installed. Rule: helm-charts.md.
    """
    folders = sorted({path.partition("/")[0] for path in files})
    if len(folders) != 1 or not any(path.endswith(f"/{CHART_FILE}") and path.count("/") == 1 for path in files):
        found = ", ".join(folders[:5]) or "nothing"
        raise ChartError(f"a chart with one top folder that holds {CHART_FILE} was expected, found {found}")
    if strange := sorted(path for path in files if "\\" in path):
        # Helm takes it for a separator: it would read another chart than the one that was checked
        raise ChartError(f"the chart has a file with a backslash in its name: {strange[0]!r}")
    own = {path.partition("/")[2]: data for path, data in files.items()}
    budget = _Budget(MAX_UNPACKED_BYTES)
    chart, document = _chart(own, "the chart", "", budget), metadata_of(own[CHART_FILE], "the chart")[1]
    require_application(document, chart.metadata.name)
    missing = set(chart.metadata.dependencies) - {subchart.metadata.name for subchart in chart.subcharts}
    if missing:
        raise ChartError(
            f'chart "{chart.metadata.name}" declares dependencies that are not in its charts/ folder: '
            f"{', '.join(sorted(missing))}; package it after `helm dependency build`"
        )
    return chart


class _Budget:
    """What may still be unpacked from archives inside the archive, however deep they lie."""

    def __init__(self, left: int) -> None:
        self.left = left

    def take(self, files: Mapping[str, bytes], where: str) -> Mapping[str, bytes]:
        self.left -= sum(map(len, files.values()))
        if self.left < 0:
            raise ChartError(f"{where}: the charts inside unpack to more than {MAX_UNPACKED_BYTES} bytes")
        return files


def _chart(files: Mapping[str, bytes], where: str, folder: str, budget: _Budget, depth: int = 0) -> Chart:
    if depth > _MAX_DEPTH:
        raise ChartError(f"{where}: charts lie in each other more than {_MAX_DEPTH} deep")
    metadata, _ = metadata_of(files.get(CHART_FILE), where)
    subcharts = tuple(
        _chart(inside, f'chart "{name}" in charts/ of "{metadata.name}"', name, budget, depth + 1)
        for name, inside in sorted(_folders_in(files, metadata.name, budget))
    )
    own = {path: data for path, data in sorted(files.items()) if not _is_of_subchart(path)}
    return Chart(metadata, own, folder, subcharts)


def _folders_in(files: Mapping[str, bytes], parent: str, budget: _Budget) -> Iterator[tuple[str, Mapping[str, bytes]]]:
    """The folders in charts/ with their files; a packed chart gets a folder of its own name."""
    inside: dict[str, dict[str, bytes]] = {}
    for path, data in files.items():
        if not _is_of_subchart(path):
            continue
        name, slash, rest = path.removeprefix(_CHARTS).partition("/")
        if slash:
            inside.setdefault(name, {})[rest] = data
        elif name.endswith(_PACKED):
            where = f'chart "{name}" in charts/ of "{parent}"'
            yield f"{name.removesuffix(_PACKED)}.packed", budget.take(unpacked(data, where), where)
    yield from inside.items()


def _is_of_subchart(path: str) -> bool:
    """Whether a file belongs to a chart inside: Helm passes over names that begin with `_` or a dot, and signatures."""
    if not path.startswith(_CHARTS) or path.endswith(".prov"):
        return False
    name, slash, _ = path.removeprefix(_CHARTS).partition("/")
    return name[:1] not in ("_", ".") and (bool(slash) or name.endswith(_PACKED))
