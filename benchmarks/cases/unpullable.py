"""Extensions that resolve in a real catalog and then cannot be pulled: what their retries cost."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.case import Case, Goal, Row
from benchmarks.operators import create_all
from benchmarks.real_data import catalog_files, package_name, redirected
from benchmarks.stage import EXTENSIONS, Stage
from devcluster.images import catalog_image
from e2e.world import condition

__all__ = ["CASE"]

_NAME = "unpullable"
_COPIES = 2
_CPU_MS, _REQUESTS = 8.0, 1.0
# Bundles that need others are refused before anything is pulled.
_NEEDS = re.compile(rb"type: olm\.(gvk\.required|package\.required|constraint)")


def _run(stage: Stage) -> Iterator[Row]:
    files = redirected(catalog_files(_COPIES), stage.world.registry.host)
    stage.serve(_NAME, stage.push_catalog(_NAME, catalog_image(files)))
    account = {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "installer", "namespace": _NAME}}
    create_all(stage.api, [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": _NAME}}])
    create_all(stage.api, [account])
    packages = sorted(package_name(content) for content in files.values() if not _NEEDS.search(content))
    names = [f"{_NAME}-{number:03}" for number in range(stage.scale.unpullable)]
    before = _reconciles(stage)
    meter, mark = stage.controller_meter, stage.world.cluster.audit.position()
    cpu_s = meter.cpu_s
    for number, name in enumerate(names):
        stage.api.create(EXTENSIONS, _extension(name, packages[number % len(packages)]))
    time.sleep(stage.scale.unpullable_s)
    count = _reconciles(stage) - before
    _require_failing(stage, names)
    what = f"{len(names)} against {len(packages)} packages"
    yield Row(f"{what}: reconciles, first ones included", count, "")
    yield Row(f"{what}: each reconcile", (meter.cpu_s - cpu_s) / count * 1000, "CPU ms", goal=Goal(_CPU_MS))
    yield Row(f"{what}: API requests, each reconcile", stage.requests(mark) / count, "", goal=Goal(_REQUESTS))
    stage.world.kubectl.run("delete", "clusterextensions", *names, "--wait=true", "--timeout=50s")
    stage.remove_catalog(_NAME)


def _extension(name: str, package: str) -> dict[str, Any]:
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "metadata": {"name": name},
        "spec": {
            "namespace": _NAME,
            "serviceAccount": {"name": "installer"},
            "source": {"sourceType": "Catalog", "catalog": {"packageName": package}},
        },
    }


def _reconciles(stage: Stage) -> int:
    """How many reconciles that failed are in the log of operator-controller."""
    return stage.controller.log_text().count('"msg":"reconciled"')


def _require_failing(stage: Stage, names: list[str]) -> None:
    """Check that what was measured is what was meant: every extension resolved and could not be pulled."""
    for name in (names[0], names[-1]):
        found = condition(stage.api.get(f"{EXTENSIONS}/{name}"), "Progressing")
        assert "/missing/" in found.get("message", ""), f"{name} was to fail at the pull: {dict(found)}"


CASE = Case("unpullable", "extensions that resolve and cannot be pulled", _run)
