"""The cases, in the order in which they run.

First those in this process, then those on a cluster; last the large bundle, whose definitions slow an API server down
for whatever comes after it.
"""

from __future__ import annotations

from benchmarks.case import Case
from benchmarks.cases.bundles import CASE as BUNDLES
from benchmarks.cases.catalog import CASE as CATALOG
from benchmarks.cases.drift import CASE as DRIFT
from benchmarks.cases.install import CASE as INSTALL
from benchmarks.cases.many import CASE as MANY
from benchmarks.cases.poll import CASE as POLL
from benchmarks.cases.resolution import CASE as RESOLUTION
from benchmarks.cases.rest import CASE as REST
from benchmarks.cases.restart import CASE as RESTART
from benchmarks.cases.serving import CASE as SERVING
from benchmarks.cases.start import CASE as START
from benchmarks.cases.unpullable import CASE as UNPULLABLE
from benchmarks.cases.upgrade import CASE as UPGRADE

__all__ = ["CASES"]

CASES: tuple[Case, ...] = (
    RESOLUTION,
    BUNDLES,
    START,
    CATALOG,
    POLL,
    RESTART,
    SERVING,
    MANY,
    REST,
    DRIFT,
    UPGRADE,
    UNPULLABLE,
    INSTALL,
)
