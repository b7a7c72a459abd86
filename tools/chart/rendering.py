"""`helm template` of the chart, as people run it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path

from tools.chart.copies import CHART

__all__ = ["ChartRefused", "manifests", "rendered"]

_NAMESPACE = "olmv1-system"
_HEADER = """\
# OLM v1 in Python for `kubectl apply --server-side -f`: what `helm template` makes of charts/olmv1 with its defaults,
# and the namespace. Put in the image that you built. Written by `make manifests`: change the chart, or config/.
"""


class ChartRefused(ValueError):  # noqa: N818 - it is what happened
    """helm does not render the chart with these values; the text is what it says."""


def rendered(
    helm: str, values: Mapping[str, str] | None = None, *, namespace: str = _NAMESPACE, chart: Path = CHART
) -> str:
    """The manifests that `helm template` prints; `values` are JSON by path, as of `--set-json`.

    Raises:
        ChartRefused: helm says no.
    """
    options = [option for path, value in (values or {}).items() for option in ("--set-json", f"{path}={value}")]
    command = [helm, "template", "olmv1", str(chart), "--namespace", namespace, *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - ours
    if done.returncode:
        raise ChartRefused(done.stderr.strip())
    return done.stdout


def manifests(helm: str) -> str:
    """The content of `config/manifests.yaml`."""
    return _HEADER + rendered(helm, {"namespace.create": "true"})
