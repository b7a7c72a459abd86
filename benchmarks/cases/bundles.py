"""Parsing and rendering real bundles, in this process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.case import Case, Floor, Goal, MeasuringError, Row
from benchmarks.cases.resolution import parse_fast
from benchmarks.meter import best_of
from benchmarks.real_data import bundle_folders, large_bundle
from benchmarks.stage import Stage
from devcluster.images import files_of
from e2e.fleet import Member
from olmv1.errors import OlmError
from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.renderer import Certificates, RenderOptions, render

__all__ = ["CASE"]

_NAMESPACE = "target-ns"
_GOAL_S = 4.0
"""For 40 published bundles in one process."""
Files = Mapping[str, bytes]


def _run(stage: Stage) -> Iterator[Row]:
    rounds = stage.scale.rounds
    real = _renderable()
    if not real:
        raise MeasuringError("none of the real bundles can be rendered")
    yield from _rows(f"{len(real)} real bundles", real, rounds)
    both = best_of(rounds, lambda: _render([parse_bundle(files) for files in real]))
    yield Row(f"{len(real)} real bundles: load and render", both, "CPU s", goal=Goal(_GOAL_S))
    yield from _rows("one bundle of 5.4 MB", [large_bundle(Member("large"))], rounds)


def _rows(what: str, bundles: list[Files], rounds: int) -> Iterator[Row]:
    manifests = [content for files in bundles for path, content in files.items() if path.startswith("manifests/")]
    floor = Floor("yaml-rs, manifests", best_of(rounds, lambda: parse_fast(manifests)))
    yield Row(f"{what}: load", best_of(rounds, lambda: [parse_bundle(files) for files in bundles]), "CPU s", floor)
    loaded = [parse_bundle(files) for files in bundles]
    yield Row(f"{what}: render", best_of(rounds, lambda: _render(loaded)), "CPU s", floor)


def _render(bundles: Sequence[Bundle]) -> None:
    """Render each bundle, for all namespaces where it can be, else for its own, else for another one."""
    for bundle in bundles:
        watched = _NAMESPACE if "OwnNamespace" in bundle.install_modes else "watch-ns"
        own = None if "AllNamespaces" in bundle.install_modes else {"watchNamespace": watched}
        certificates = Certificates.CERT_MANAGER if bundle.webhooks else Certificates.NONE
        render(bundle, RenderOptions(_NAMESPACE, own, certificates=certificates))


def _renderable() -> list[Files]:
    """The real bundles that render with no more configuration than a namespace."""
    found: list[Files] = []
    for folder in bundle_folders():
        files = files_of(folder)
        try:
            _render([parse_bundle(files)])
        except OlmError:
            continue
        found.append(files)
    return found


CASE = Case("bundles", "real bundles, loaded and rendered", _run)
