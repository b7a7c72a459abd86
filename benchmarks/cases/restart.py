"""From a killed catalogd to the first answer of its successor, with and without a registry."""

from __future__ import annotations

import http.client
import ssl
import statistics
import time
import urllib.parse
from collections.abc import Iterator

from benchmarks.case import Case, Goal, Row
from benchmarks.real_data import catalog_files
from benchmarks.stage import Stage
from devcluster.images import catalog_image

__all__ = ["CASE"]

_NAME = "restarted"
_GOAL_S = 1.0


def _run(stage: Stage) -> Iterator[Row]:
    stage.serve(_NAME, stage.push_catalog(_NAME, catalog_image(catalog_files(stage.scale.served))))
    up_s = statistics.median(_restarted(stage) for _ in range(stage.scale.starts))
    yield Row("kill -9 to the first answer, registry up", up_s, "s", goal=Goal(_GOAL_S))
    with stage.world.registry.away():
        away_s = statistics.median(_restarted(stage) for _ in range(stage.scale.starts))
    yield Row("kill -9 to the first answer, registry away", away_s, "s", goal=Goal(_GOAL_S))
    stage.catalogd.wait_ready()
    stage.remove_catalog(_NAME)


def _restarted(stage: Stage) -> float:
    """Seconds from the start of the new process until it answers for the catalog."""
    stage.catalogd.kill()
    stage.wait(lambda: not stage.catalogd.is_running, "catalogd to be gone")
    url = urllib.parse.urlsplit(stage.url(_NAME, "metas?schema=olm.package"))
    context = ssl.create_default_context(cafile=str(stage.world.registry.authority_file))
    began = time.monotonic()
    stage.catalogd.start()
    return stage.wait(lambda: _answers(url, context), "catalogd to serve again") - began


def _answers(url: urllib.parse.SplitResult, context: ssl.SSLContext) -> bool:
    connection = http.client.HTTPSConnection(url.hostname or "", url.port, timeout=5, context=context)
    try:
        connection.request("GET", f"{url.path}?{url.query}")
        answer = connection.getresponse()
        return answer.status == 200 and bool(answer.read())
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


CASE = Case("restart", "catalogd killed and started again", _run)
