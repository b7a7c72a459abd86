"""Reading a real catalog and resolving every package of it, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import orjson
import yaml
import yaml_rs

from benchmarks.case import Case, Floor, Goal, Row
from benchmarks.large_package import large_package, large_request
from benchmarks.meter import best_of
from benchmarks.real_data import catalog_files
from benchmarks.stage import Stage
from olmv1.fbc import blobs_of_file, package_of
from operator_controller.resolver import CatalogContent, PackageIndex, Request, index_package, resolve

__all__ = ["CASE", "parse_fast"]

_RESOLVES = 20
_MANY, _VERY_MANY = 700, 10_000


def parse_fast(contents: Sequence[bytes]) -> None:
    """Parse YAML with nothing but the fastest parser that can read it: the floor of whatever reads it."""
    policy = yaml_rs.DuplicateKeyPolicy.LastWins
    for content in contents:
        try:
            yaml_rs.loads(content.decode(), parse_datetime=False, duplicate_key_policy=policy)
        except ValueError:
            list(yaml.load_all(content, yaml.CSafeLoader))


def _run(stage: Stage) -> Iterator[Row]:
    rounds, files = stage.scale.rounds, catalog_files(1)
    lines = _lines(files)
    every = [line for package in lines.values() for line in package]
    parsing = Floor("yaml-rs, same bytes", best_of(rounds, lambda: parse_fast(list(files.values()))))
    yield Row("YAML of 30 packages to normalised blobs", best_of(rounds, lambda: _lines(files)), "CPU s", parsing)
    decoding = Floor("orjson, same blobs", best_of(rounds, lambda: [orjson.loads(line) for line in every]))
    yield Row("blobs to packages with their graphs", best_of(rounds, lambda: _indexes(lines)), "CPU s", decoding)
    indexes = _indexes(lines)
    seconds = best_of(rounds, lambda: _resolve(indexes))
    per_package = seconds / len(indexes) / _RESOLVES * 1000
    yield Row("resolve, mean of all packages", per_package, "CPU ms", goal=Goal(1.0))
    largest = max(indexes, key=lambda index: len(index.candidates))
    seconds = best_of(rounds, lambda: _resolve([largest]))
    what = f"resolve, largest package ({len(largest.candidates)} bundles)"
    yield Row(what, seconds / _RESOLVES * 1000, "CPU ms")
    yield from _large(rounds)


def _lines(files: Mapping[str, bytes]) -> dict[str, list[bytes]]:
    """Package → its blobs; every file holds one package."""
    found: dict[str, list[bytes]] = {}
    for path, content in files.items():
        blobs = list(blobs_of_file(content, path))
        found[next(blob.name for blob in blobs if blob.schema == "olm.package")] = [blob.json for blob in blobs]
    return found


def _indexes(lines: Mapping[str, Sequence[bytes]]) -> list[PackageIndex]:
    packages = (package_of(name, blobs) for name, blobs in lines.items())
    return [index_package(package) for package in packages if package is not None]


def _resolve(indexes: Sequence[PackageIndex]) -> None:
    """Resolve each package `_RESOLVES` times."""
    for index in indexes:
        request, contents = Request(index.name, None, (), "CatalogProvided", None), [CatalogContent("real", 0, index)]
        for _ in range(_RESOLVES):
            resolve(request, contents)


def _large(rounds: int) -> Iterator[Row]:
    """One package as large as a whole catalog: nothing narrows it down before the filters do."""
    index, request = index_package(large_package(_MANY)), large_request(_MANY)
    contents = [CatalogContent("large", 0, index)]
    seconds = best_of(rounds, lambda: [resolve(request, contents) for _ in range(1000)])
    yield Row(f"1,000 resolutions among {_MANY} bundles of one package", seconds, "CPU s", goal=Goal(1.0))
    contents = [CatalogContent("huge", 0, index_package(large_package(_VERY_MANY)))]
    request = large_request(_VERY_MANY)
    seconds = best_of(rounds, lambda: resolve(request, contents))
    yield Row(f"{_VERY_MANY:,} bundles filtered and ordered", seconds * 1000, "CPU ms", goal=Goal(50.0))


CASE = Case("resolution", "a real catalog of 30 packages, read and resolved", _run)
