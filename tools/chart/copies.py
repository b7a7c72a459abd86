"""The files of `config/` that the chart carries: helm reads nothing outside of its folder."""

from __future__ import annotations

from pathlib import Path

__all__ = ["CHART", "PROJECT", "copies"]

PROJECT = Path(__file__).parents[2]
CHART = PROJECT / "charts" / "olmv1"

_FOLDERS = ("crd", "crd-optional", "rbac", "admission")
# The chart makes them itself: pull secrets are named in them.
_LEFT_OUT = frozenset({"service-accounts.yaml"})


def copies() -> dict[Path, bytes]:
    """Each file below `charts/olmv1/files` and its content, which is that of the file below `config/`."""
    return {
        CHART / "files" / folder / path.name: path.read_bytes()
        for folder in _FOLDERS
        for path in sorted((PROJECT / "config" / folder).glob("*.yaml"))
        if path.name not in _LEFT_OUT
    }
