"""`olm render --as-chart DIR`: a bundle written as a Helm chart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from olm_cli.problems import BadInput
from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle
from operator_controller.chart import chart_of_bundle

__all__ = ["write_chart"]


def write_chart(folder: Path, bundle: Bundle, objects: Sequence[Manifest]) -> None:
    """Write the chart that renders to `objects` into `folder`, which must be absent or empty.

    Raises:
        BadInput: the folder is not empty, or cannot be written.
        ChartError: the bundle cannot be a chart.
    """
    files = chart_of_bundle(bundle, objects)
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"--as-chart {folder}: expected a directory that is absent or empty")
        _write(folder, files)
    except OSError as error:
        raise BadInput(f"--as-chart {folder}: {error.strerror or error}") from error


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
