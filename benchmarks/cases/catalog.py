"""From a new ClusterCatalog to a served one: the real catalog, and larger ones grown from it."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.cases.resolution import parse_fast
from benchmarks.meter import best_of
from benchmarks.real_data import catalog_files
from benchmarks.stage import Stage
from devcluster.images import Image, catalog_image

__all__ = ["CASE"]

_PEAK_MIB = 130.0
# Half of what the reference takes on two cores, by the multiple of the real catalog that is nearest in size.
_GOALS_S: Mapping[int, tuple[float, float]] = {3: (0.85, 1.0), 8: (1.4, 1.65)}


def _run(stage: Stage) -> Iterator[Row]:
    for multiple in stage.scale.catalogs:
        yield from _size(stage, multiple)


def _size(stage: Stage, multiple: int) -> Iterator[Row]:
    files = catalog_files(multiple)
    name, size_mb = f"grown-{multiple}", sum(map(len, files.values())) / 1e6
    image = catalog_image(files)
    ref = stage.push_catalog(name, image)
    floor = Floor("unzip+sha256+yaml-rs", best_of(1, lambda: _least(image, files)))
    meter = stage.catalogd_meter
    meter.wait_quiet()
    meter.reset_peak()
    before = meter.cpu_s
    wall_s = stage.serve(name, ref)
    meter.wait_quiet()
    cpu_s, peak_mib = meter.cpu_s - before, meter.peak_mib
    stage.remove_catalog(name)
    limits = _GOALS_S.get(multiple)
    wall, cpu = (Goal(limits[0]), Goal(limits[1])) if limits else (None, None)
    what = f"{size_mb:.0f} MB of YAML, create to Serving"
    yield Row(what, wall_s, "s", floor, wall)
    yield Row(what, cpu_s, "CPU s", floor, cpu)
    yield Row(f"{size_mb:.0f} MB of YAML, peak of catalogd", peak_mib, "MiB", goal=Goal(_PEAK_MIB))


def _least(image: Image, files: Mapping[str, bytes]) -> None:
    """Unpack and check the layer, and parse it with the fastest parser."""
    for blob in image.blobs[1:]:
        hashlib.sha256(blob).hexdigest()
        hashlib.sha256(gzip.decompress(blob)).hexdigest()
    parse_fast(list(files.values()))


CASE = Case("catalog", "ClusterCatalog, create to Serving", _run)
