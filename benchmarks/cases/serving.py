"""Reading a catalog over TLS: all of it over one connection, and one package under load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.meter import best_wall_of
from benchmarks.reader import Reader
from benchmarks.real_data import catalog_files, package_name
from benchmarks.stage import LoadPlan, LoadResult, Stage
from devcluster.images import catalog_image

__all__ = ["CASE"]

_NAME = "served"
_METAS_BYTES = 19_000
# One, five and three times what the reference gives, in MB of content a second.
_DOWNLOAD_GOALS: Mapping[str, float] = {"identity": 1330, "gzip": 5 * 237, "zstd": 3 * 652}
# By connections: requests a second (3, 1.5 and 1.2 times the reference's) and the 99th percentile in ms.
_LOAD_GOALS: Mapping[int, tuple[float, float]] = {1: (675, 12), 16: (3135, 26), 64: (3444, 71)}


def _run(stage: Stage) -> Iterator[Row]:
    stage.serve(_NAME, stage.push_catalog(_NAME, catalog_image(catalog_files(stage.scale.served))))
    with stage.constant_server() as constant:
        yield from _downloads(stage, constant)
        yield from _metas(stage, constant)
    stage.remove_catalog(_NAME)


def _downloads(stage: Stage, constant: str) -> Iterator[Row]:
    authority, url, rounds = stage.world.registry.authority_file, stage.url(_NAME, "all"), stage.scale.downloads
    content = Reader(authority, url).read()
    for encoding, goal in _DOWNLOAD_GOALS.items():
        ours = Reader(authority, url, encoding)
        sent = ours.read()
        same = Reader(authority, f"{constant}/{sent}")
        same.read()
        floor = Floor("aiohttp, constant bytes", content / best_wall_of(rounds, same.read) / 1e6)
        speed = content / best_wall_of(rounds, ours.read) / 1e6
        what = f"all as {encoding}, {content / 1e6:.0f} MB ({sent / 1e6:.1f} MB sent)"
        yield Row(what, speed, "MB/s", floor, Goal(goal, is_minimum=True))


def _metas(stage: Stage, constant: str) -> Iterator[Row]:
    url, size = _package_url(stage)
    for connections in stage.scale.connections:
        plan = LoadPlan(url, connections=connections, seconds=stage.scale.load_s)
        before = stage.catalogd_meter.cpu_s
        ours = stage.load(plan)
        cpu_ms = (stage.catalogd_meter.cpu_s - before) / ours.answers * 1000
        same = stage.load(LoadPlan(f"{constant}/{size}", connections=connections, seconds=stage.scale.load_s))
        rate, tail_ms = _LOAD_GOALS[connections]
        what = f"metas of a package ({size / 1000:.0f} kB), {connections} connections"
        floor = Floor("aiohttp, constant bytes", same.per_s)
        yield Row(what, ours.per_s, "req/s", floor, Goal(rate, is_minimum=True))
        tail = Floor("aiohttp, constant bytes", same.percentile_ms(0.99))
        yield Row("  99th percentile", ours.percentile_ms(0.99), "ms", tail, Goal(tail_ms))
        yield Row("  of catalogd, each", cpu_ms, "CPU ms")


def _package_url(stage: Stage) -> tuple[str, int]:
    """The package whose blobs are nearest to 19 kB, and their size."""
    sizes = {}
    for content in catalog_files(1).values():
        url = stage.url(_NAME, f"metas?package={package_name(content)}")
        sizes[url] = _body(stage.load(LoadPlan(url, answers=1)))
    best = min(sizes, key=lambda url: abs(sizes[url] - _METAS_BYTES))
    return best, sizes[best]


def _body(result: LoadResult) -> int:
    return result.body_bytes // result.answers


CASE = Case("serving", "catalogd read over TLS", _run)
