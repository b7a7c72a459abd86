"""`python -m tools.chart`: write the chart's copies and README, then `config/manifests.yaml`."""

from __future__ import annotations

import sys
from pathlib import Path

from devcluster.binaries import ensure
from tools.chart.copies import CHART, PROJECT, copies
from tools.chart.rendering import ChartRefused, manifests
from tools.chart.values_table import rows_of, with_table


def main() -> int:
    """Write what changed and name it; exit code 1 when the chart cannot be rendered."""
    wanted = copies()
    for stale in {path for path in (CHART / "files").glob("*/*.yaml") if path.parent.name != "monitoring"} - set(
        wanted
    ):
        stale.unlink()
    readme = CHART / "README.md"
    rows = rows_of((CHART / "values.yaml").read_text(encoding="utf-8"))
    wanted[readme] = with_table(readme.read_text(encoding="utf-8"), rows).encode()
    for path, content in wanted.items():
        _write(path, content)
    try:
        _write(PROJECT / "config" / "manifests.yaml", manifests(str(ensure(["helm"]).path("helm"))).encode())
    except ChartRefused as refusal:
        sys.stderr.write(f"error: {refusal}\n")
        return 1
    return 0


def _write(path: Path, content: bytes) -> None:
    if path.exists() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    sys.stdout.write(f"written: {path.relative_to(PROJECT)}\n")


if __name__ == "__main__":
    sys.exit(main())
