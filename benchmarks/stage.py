"""What cases share: one cluster with OLM that is started when the first case needs it, meters, load, and the fleet."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from benchmarks.api import Api
from benchmarks.case import MeasuringError, Scale
from benchmarks.meter import Meter
from devcluster.binaries import PROJECT_DIR
from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.images import Image
from devcluster.processes import Process, tail_of
from e2e.world import World, condition

__all__ = ["CATALOGS", "EXTENSIONS", "LoadPlan", "LoadResult", "Stage"]

_GROUP = "/apis/olm.operatorframework.io/v1"
CATALOGS = f"{_GROUP}/clustercatalogs"
EXTENSIONS = f"{_GROUP}/clusterextensions"
T = TypeVar("T")
_CONTROLLER = "operator-controller-controller-manager"


@dataclass(frozen=True, slots=True)
class LoadPlan:
    """One run of the load generator: it ends after `seconds` or `answers`, whichever comes first."""

    url: str
    connections: int = 1
    seconds: float = 3.0
    answers: int = 1_000_000
    encoding: str = "identity"
    pause_ms: float = 0.0


@dataclass(frozen=True, slots=True)
class LoadResult:
    """What came back; latencies are sorted."""

    seconds: float
    body_bytes: int
    latencies_s: Sequence[float]

    @property
    def answers(self) -> int:
        """How many answers were complete."""
        return len(self.latencies_s)

    @property
    def per_s(self) -> float:
        """Answers a second."""
        return self.answers / self.seconds

    @property
    def longest_ms(self) -> float:
        """The longest answer in milliseconds."""
        return self.latencies_s[-1] * 1000

    def percentile_ms(self, share: float) -> float:
        """The latency in milliseconds that `share` of the answers did not exceed."""
        return self.latencies_s[min(int(self.answers * share), self.answers - 1)] * 1000


class Stage:
    """The shared state of one run; a context manager."""

    def __init__(self, scale: Scale) -> None:
        self.scale = scale
        self._numbers = iter(range(1, 1_000_000))
        self._worlds: list[World] = []
        self._made: dict[object, Any] = {}

    @cached_property
    def world(self) -> World:
        """OLM on a cluster of its own, both components ready."""
        cluster = Cluster.start()
        try:
            made = World(cluster)
        except BaseException:
            cluster.stop()
            raise
        self._worlds.append(made)
        return made.start()

    @cached_property
    def api(self) -> Api:
        """The API server as administrator."""
        return Api.of(self.world.cluster.kubeconfig, self.world.cluster.workspace)

    def once(self, make: Callable[[Stage], T]) -> T:
        """What `make` gave at its first call: for what several cases stand on."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    @property
    def catalogd(self) -> Component:
        """The running catalogd."""
        return self.world.components.catalogd

    @property
    def controller(self) -> Component:
        """The running operator-controller."""
        return self.world.components.operator_controller

    @property
    def catalogd_meter(self) -> Meter:
        """What catalogd costs, since its last start."""
        return Meter(self.catalogd.pid)

    @property
    def controller_meter(self) -> Meter:
        """What operator-controller costs, since its last start."""
        return Meter(self.controller.pid)

    def requests(self, since: int) -> int:
        """Requests of operator-controller to the API server after the mark `since`, leases left out."""
        found = self.world.cluster.audit.requests(user=_CONTROLLER, since=since)
        return sum("/leases" not in request.uri for request in found)

    def push_catalog(self, name: str, image: Image) -> str:
        """Push a catalog image under the tag `bench/<name>:latest`; the reference with the tag."""
        self.world.registry.push(f"bench/{name}:latest", image)
        return f"{self.world.registry.host}/bench/{name}:latest"

    def serve(self, name: str, ref: str, timeout_s: float = 120) -> float:
        """Create a ClusterCatalog; the seconds until it is served, none when it was there already."""
        catalog = {
            "apiVersion": "olm.operatorframework.io/v1",
            "kind": "ClusterCatalog",
            "metadata": {"name": name},
            "spec": {"source": {"type": "Image", "image": {"ref": ref}}},
        }
        with self.api.watch(CATALOGS) as watch:
            began = time.monotonic()
            if not self.api.create(CATALOGS, catalog):
                return 0.0  # it was there

            def is_served(_: str, obj: Any) -> bool:
                return bool(obj["metadata"]["name"] == name and condition(obj, "Serving").get("status") == "True")

            return watch.until(is_served, f"catalog {name} to be served", timeout_s) - began

    def remove_catalog(self, name: str) -> None:
        """Delete a ClusterCatalog and wait until it is gone."""
        self.world.kubectl.delete("clustercatalog", name)

    def poll(self, name: str) -> None:
        """Have catalogd look at the registry now."""
        annotation = {"extras.olm.operatorframework.io/poll-now": f"bench-{next(self._numbers)}"}
        self.api.merge(f"{CATALOGS}/{name}", {"metadata": {"annotations": annotation}})

    def url(self, catalog: str, endpoint: str) -> str:
        """Where catalogd serves an endpoint of a catalog."""
        address = self.catalogd.flags["catalogs-server-addr"]
        return f"https://{address}/catalogs/{catalog}/api/v1/{endpoint}"

    @contextmanager
    def constant_server(self) -> Iterator[str]:
        """The address of a server that answers `GET /<size>` with so many constant bytes."""
        workspace = self.world.cluster.workspace
        port = workspace.ports.reserve()
        pair = [str(path) for path in workspace.serving_pair("constant")]
        process = workspace.spawn("constant", [sys.executable, "-m", "benchmarks.constant_server", str(port), *pair])
        try:
            self.wait(lambda: _listens(port), "the constant server")
            yield f"https://127.0.0.1:{port}"
        finally:
            _end(process)

    def load(self, plan: LoadPlan) -> LoadResult:
        """Run the load generator to its end."""
        with self._generator(plan) as process:
            return _result(process, plan)

    @contextmanager
    def loading(self, plan: LoadPlan) -> Iterator[Callable[[], LoadResult]]:
        """Run the load generator beside the block; the yielded function ends it and gives the result."""
        with self._generator(plan) as process:

            def ended() -> LoadResult:
                process.terminate()
                return _result(process, plan)

            yield ended

    @contextmanager
    def _generator(self, plan: LoadPlan) -> Iterator[subprocess.Popen[bytes]]:
        """The load generator, connected to the server; killed at the end of the block."""
        flags = {
            "ca": self.world.registry.authority_file,
            "connections": plan.connections,
            "seconds": plan.seconds,
            "answers": plan.answers,
            "encoding": plan.encoding,
            "pause-ms": plan.pause_ms,
        }
        command = [sys.executable, "-m", "benchmarks.load", plan.url, *(f"--{k}={v}" for k, v in flags.items())]
        # unbuffered: what comes after the first line is left for `communicate`
        with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=PROJECT_DIR, bufsize=0) as process:
            try:
                if process.stdout is None or process.stdout.readline() != b"ready\n":
                    raise MeasuringError(f"no connection to {plan.url}")
                yield process
            finally:
                process.kill()

    def wait(self, check: Callable[[], object], what: str, timeout_s: float = 60, every_s: float = 0.005) -> float:
        """Wait until `check` gives something true; the time of `time.monotonic` then."""
        end = time.monotonic() + timeout_s
        while not check():
            if time.monotonic() > end:
                raise MeasuringError(f"waited {timeout_s:g} s for {what}")
            time.sleep(every_s)
        return time.monotonic()

    def state(self) -> str:
        """What is known of both components, for whoever has to find out why a case failed."""
        parts = []
        for world in self._worlds:
            for component in world.both:
                life = "runs" if component.is_running else "does not run"
                parts.append(f"--- {component.name} {life}; the end of its log:\n{tail_of(component.log, 5)}")
        return "\n".join(parts)

    def close(self) -> None:
        """Stop what was started."""
        for world in self._worlds:
            world.stop()

    def __enter__(self) -> Stage:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _result(process: subprocess.Popen[bytes], plan: LoadPlan) -> LoadResult:
    output, _ = process.communicate(timeout=plan.seconds + 30)
    found = json.loads(output or "{}")
    if not found.get("latencies_s") or set(found["statuses"]) != {"200"}:
        raise MeasuringError(f"load on {plan.url}: {found.get('statuses', 'no answer')}")
    return LoadResult(found["seconds"], found["body_bytes"], found["latencies_s"])


def _listens(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
        return True
    return False


def _end(process: Process) -> None:
    process.signal(9)
    process.wait(10)
