"""The cases, in the order in which they run: first those in this process, then those on a cluster."""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases import (
    bundles,
    catalog,
    drift,
    install,
    many,
    poll,
    resolution,
    rest,
    restart,
    serving,
    start,
    unpullable,
    upgrade,
)

__all__ = ["CASES"]

CASES: tuple[Case, ...] = (
    resolution.CASE,
    bundles.CASE,
    start.CASE,
    catalog.CASE,
    poll.CASE,
    restart.CASE,
    serving.CASE,
    install.CASE,
    many.CASE,
    rest.CASE,
    drift.CASE,
    upgrade.CASE,
    unpullable.CASE,
)
