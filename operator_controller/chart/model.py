"""A Helm chart as a value: what its Chart.yaml says, its files, and the charts inside it.

Built by `parse_chart` alone; mappings inside are never changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

__all__ = ["Chart", "ChartMetadata"]


@dataclass(frozen=True, slots=True)
class ChartMetadata:
    """Chart.yaml, as far as it is looked at; `dependencies` are the names under which charts/ must hold them."""

    name: str
    version: str
    app_version: str = ""
    kube_version: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    dependencies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart; `files` are paths relative to its folder → content, those of `subcharts` left out.

    `folder` is where it lies in its parent's `charts/`, empty for the chart of an image. `schema` is the content of
    values.schema.json, `None` without one.
    """

    metadata: ChartMetadata
    files: Mapping[str, bytes]
    folder: str = ""
    subcharts: tuple[Chart, ...] = ()

    @property
    def schema(self) -> bytes | None:
        """The content of values.schema.json."""
        return self.files.get("values.schema.json")

    @property
    def has_notes(self) -> bool:
        """Whether the chart has a text for the user."""
        return "templates/NOTES.txt" in self.files

    def family(self, path: str = "") -> Iterator[tuple[str, Chart]]:
        """This chart and every chart inside it, parents first, each with the path of its folder (`charts/db/`)."""
        yield path, self
        for subchart in self.subcharts:
            yield from subchart.family(f"{path}charts/{subchart.folder}/")

    def all_files(self) -> dict[str, bytes]:
        """The files of the whole family, path relative to the folder of this chart → content."""
        return {f"{path}{name}": data for path, chart in self.family() for name, data in chart.files.items()}
