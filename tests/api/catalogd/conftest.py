"""One catalogd for the tests of a module, and the words in which they speak of it."""

from __future__ import annotations

import itertools
import json
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.components import Component, ComponentOptions, catalogd
from devcluster.images import Image, catalog_image
from devcluster.processes import tail_of
from devcluster.waiting import wait_for

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class Catalogs:
    """ClusterCatalogs of this test and what a catalogd says of them."""

    def __init__(self, cluster: Cluster, component: Component) -> None:
        self.cluster = cluster
        self.component = component
        self.name = f"team-{next(_numbers)}"
        self.kubectl = cluster.kubectl

    def push(self, tag: str, files: Mapping[str, bytes] | Image) -> str:
        """Push a catalog image of this test and return its reference by digest."""
        image = files if isinstance(files, Image) else catalog_image(files)
        return self.cluster.registry.push(f"{self.name}:{tag}", image)

    def apply(self, ref: str = "", *, minutes: int | None = None, **spec: Any) -> None:
        """Create or change the catalog; `ref` is a tag of this test's repository or a whole reference."""
        full = ref if "/" in ref else f"{self.cluster.registry.host}/{self.name}:{ref or 'v1'}"
        image: dict[str, Any] = {"ref": full, **({"pollIntervalMinutes": minutes} if minutes else {})}
        self.kubectl.apply(
            {
                "apiVersion": "olm.operatorframework.io/v1",
                "kind": "ClusterCatalog",
                "metadata": {"name": self.name},
                "spec": {"source": {"type": "Image", "image": image}, **spec},
            }
        )

    def poll_now(self, value: str) -> None:
        """Ask for a look at the registry."""
        annotation = f"extras.olm.operatorframework.io/poll-now={value}"
        self.kubectl.run("annotate", "clustercatalog", self.name, annotation, "--overwrite")

    def get(self) -> dict[str, Any]:
        """The object as it is."""
        found = self.kubectl.get("clustercatalog", self.name)
        assert found is not None
        return found

    def status(self) -> dict[str, Any]:
        """Its status."""
        return dict(self.get().get("status") or {})

    def condition(self, type_: str) -> tuple[str, str, str]:
        """Status, reason and message of a condition; empty texts when it is absent."""
        found = [c for c in self.status().get("conditions") or () if c["type"] == type_]
        return (found[0]["status"], found[0]["reason"], found[0]["message"]) if found else ("", "", "")

    def wait(self, type_: str, reason: str, *, timeout_s: float = 20) -> str:
        """Wait for the reason of a condition and return its message."""
        wait_for(
            lambda: self.condition(type_)[1] == reason, f"{type_} of {self.name} to be {reason}", timeout_s=timeout_s
        )
        return self.condition(type_)[2]

    def wait_serving(self, ref: str = "") -> None:
        """Wait until the catalog is served, from `ref` when given."""
        self.wait("Serving", "Available")
        if ref:
            wait_for(lambda: self.resolved() == ref, f"{self.name} to serve {ref}", timeout_s=20)

    def resolved(self) -> str:
        """`status.resolvedSource.image.ref`."""
        return str(((self.status().get("resolvedSource") or {}).get("image") or {}).get("ref") or "")

    def events(self) -> list[tuple[str, str]]:
        """Reason and message of the Events about the catalog."""
        items = self.kubectl.items("events.events.k8s.io", "default")
        return [(e["reason"], e["note"]) for e in items if (e.get("regarding") or {}).get("name") == self.name]

    def read(self, path: str = "api/v1/all", component: Component | None = None, **headers: str) -> Answer:
        """What the content server answers; a connection that is refused counts as status 0."""
        address = (component or self.component).flags["catalogs-server-addr"]
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(f"https://{address}/catalogs/{self.name}/{path}", headers=sent)
        trust = ssl.create_default_context(cafile=str(self.cluster.registry.authority_file))
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=trust)
        )
        try:
            with opener.open(request, timeout=10) as answer:
                return Answer(answer.status, dict(answer.headers), answer.read())
        except urllib.error.HTTPError as refused:
            return Answer(refused.code, dict(refused.headers), refused.read())
        except OSError:
            return Answer(0, {}, b"")

    def blobs(self, path: str = "api/v1/all", component: Component | None = None) -> list[dict[str, Any]]:
        """The blobs that are served under `path`."""
        answer = self.read(path, component)
        assert answer.status == 200, answer
        return [json.loads(line) for line in answer.body.splitlines()]

    def writes(self, since: int = 0) -> list[str]:
        """The requests by which a catalogd changed this catalog: verb, and the part behind its name."""
        found = self.cluster.audit.requests(user="catalogd-controller-manager", since=since)
        mark = f"/clustercatalogs/{self.name}"
        return [f"{r.verb} {r.uri.partition(mark)[2]}".strip() for r in found if r.is_write and mark in r.uri]


@pytest.fixture(scope="module")
def component(olm: Cluster) -> Iterator[Component]:
    """A running catalogd of this module."""
    made = catalogd(olm, ComponentOptions(instance=f"catalogd-of-tests-{next(_numbers)}"))
    made.start().wait_ready()
    yield made
    print(f"--- end of {made.log} ---\n{tail_of(made.log, 60)}")
    if made.is_running:
        made.stop()


@pytest.fixture
def catalogs(olm: Cluster, component: Component) -> Iterator[Catalogs]:
    """Catalogs of one test; removed after it."""
    made = Catalogs(olm, component)
    yield made
    if not component.is_running:
        component.start().wait_ready()
    made.kubectl.delete("clustercatalog", made.name)


@pytest.fixture
def replica(olm: Cluster) -> Iterator[Callable[..., Component]]:
    """Starts further catalogds with flags and environment of their own, and ends them after the test."""
    started: list[Component] = []

    def start(flags: Mapping[str, str | None] | None = None, **env: str) -> Component:
        options = ComponentOptions(instance=f"catalogd-replica-{next(_numbers)}", flags=flags or {}, env=env)
        started.append(catalogd(olm, options))
        started[-1].start().wait_ready()
        return started[-1]

    yield start
    for one in started:
        print(f"--- end of {one.log} ---\n{tail_of(one.log, 40)}")
        if one.is_running:
            one.kill()
