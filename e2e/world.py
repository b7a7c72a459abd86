"""A cluster with OLM running on it, the sample images in its registry, and the words in which tests speak of it."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from devcluster.cluster import Cluster
from devcluster.components import Component, ComponentOptions, Components, catalogd, operator_controller
from devcluster.errors import DevClusterError
from devcluster.waiting import wait_for
from e2e.samples import SAMPLES_DIR, mirror_conf, push_bundles, push_catalog

__all__ = ["OWNED_KINDS", "OWNER", "POLL_NOW", "UnmetError", "World", "condition", "expect", "has_reached"]

OWNER = "olm.operatorframework.io/owner-name"
POLL_NOW = "extras.olm.operatorframework.io/poll-now"
OWNED_KINDS = (
    "customresourcedefinitions,clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,deployments,services,"
    "configmaps"
)
"""Every kind of object that a bundle of the sample operator brings."""

T = TypeVar("T")
_polls = itertools.count(1)


class UnmetError(AssertionError):
    """Something is not as it was expected to be."""

    def __init__(self, expected: str, found: str) -> None:
        super().__init__(f"expected {expected}\nfound    {found}")
        self.expected = expected
        self.found = found


def expect(expected: str, check: Callable[[], T | None], found: Callable[[], object], timeout_s: float = 30) -> T:
    """The first value of `check` that is neither `None` nor false.

    Raises: UnmetError with what `found` says when the time passes, which `wait_for` makes of `timeout_s`.
    """
    try:
        return wait_for(check, expected, timeout_s=timeout_s)
    except DevClusterError as failure:
        raise UnmetError(f"{expected} in time", str(found())) from failure


def condition(obj: Mapping[str, Any] | None, type_: str) -> Mapping[str, Any]:
    """A condition of an object; empty when the object or the condition is not there."""
    found = ((obj or {}).get("status") or {}).get("conditions") or ()
    return next((item for item in found if item["type"] == type_), {})


class World:
    """OLM on a cluster; leave it with `stop()` or as a context manager.

    Making one installs CRDs and RBAC; `start` runs the components.
    """

    def __init__(self, cluster: Cluster, *, controller_flags: Mapping[str, str | None] | None = None) -> None:
        self.cluster = cluster
        self.kubectl = cluster.kubectl
        self.registry = cluster.registry
        cluster.install_olm()
        conf = cluster.workspace.write("registries.conf", mirror_conf(self.registry).encode())
        self.scratch_dir = cluster.workspace.folder("components/tmp")
        env = {"CONTAINERS_REGISTRIES_CONF": str(conf), "TMPDIR": str(self.scratch_dir)}
        self.components = Components(
            catalogd(cluster, ComponentOptions(env=env)),
            operator_controller(cluster, ComponentOptions(env=env, flags=controller_flags or {})),
        )

    @classmethod
    def of_samples(cls, cluster: Cluster) -> World:
        """A running world with every sample bundle and edition 1 of the sample catalog in its registry."""
        world = cls(cluster)
        push_bundles(world.registry)
        push_catalog(world.registry, 1)
        return world.start()

    @property
    def both(self) -> tuple[Component, Component]:
        """The components: catalogd, operator-controller."""
        return self.components.catalogd, self.components.operator_controller

    def start(self) -> World:
        """Start both components and wait until they are ready."""
        self.components.start()
        return self

    def apply_sample(self, *names: str) -> None:
        """`kubectl apply -f config/samples/<name>` for each name."""
        self.kubectl.apply_files([SAMPLES_DIR / name for name in names])

    def ask_for(self, name: str = "lantern", **catalog: Any) -> None:
        """Merge fields into `spec.source.catalog` of an extension; `None` removes one."""
        self.patch("clusterextension", name, {"spec": {"source": {"catalog": catalog}}})

    def patch(self, resource: str, name: str, patch: Mapping[str, Any], namespace: str = "") -> None:
        """`kubectl patch --type=merge`."""
        scope = ["--namespace", namespace] if namespace else []
        self.kubectl.run("patch", resource, name, *scope, "--type=merge", "-p", json.dumps(patch))

    def poll(self, name: str = "lights") -> None:
        """Have catalogd look at the registry now."""
        self.kubectl.run("annotate", "--overwrite", "clustercatalog", name, f"{POLL_NOW}=e2e-{next(_polls)}")

    def extension(self, name: str = "lantern") -> dict[str, Any] | None:
        """The ClusterExtension as it is now."""
        return self.kubectl.get("clusterextension", name)

    def wait_serving(self, name: str = "lights", ref: str = "", timeout_s: float = 30) -> dict[str, Any]:
        """Wait until a catalog is served; with `ref`, until its digest is the one of `ref`."""
        digest = ref.rpartition("@")[2]

        def check() -> dict[str, Any] | None:
            catalog = self.kubectl.get("clustercatalog", name)
            is_served = condition(catalog, "Serving").get("status") == "True"
            source = ((catalog or {}).get("status") or {}).get("resolvedSource") or {}
            return catalog if is_served and source.get("image", {}).get("ref", "").endswith(digest) else None

        what = f"ClusterCatalog {name} to serve {digest or 'something'}"
        return expect(what, check, lambda: self.told("clustercatalog", name), timeout_s)

    def wait_installed(self, version: str, name: str = "lantern", timeout_s: float = 60) -> dict[str, Any]:
        """Wait until `version` is installed and the desired state is reached."""

        def check() -> dict[str, Any] | None:
            extension = self.extension(name)
            return extension if has_reached(extension, version) else None

        what = f"ClusterExtension {name} to have {version} installed, to be available and at rest"
        return expect(what, check, lambda: self.told("clusterextension", name), timeout_s)

    def wait_condition(
        self,
        type_: str,
        name: str = "lantern",
        *,
        resource: str = "clusterextension",
        **wanted: str,
    ) -> dict[str, Any]:
        """Wait until a condition of an object has these fields (`status`, `reason`, `message`)."""

        def check() -> dict[str, Any] | None:
            obj = self.kubectl.get(resource, name)
            found = condition(obj, type_)
            return obj if all(found.get(key) == value for key, value in wanted.items()) else None

        fields = ", ".join(f'{key} "{value}"' for key, value in wanted.items())
        return expect(f"{type_} of {name} with {fields}", check, lambda: self.told(resource, name))

    def told(self, resource: str, name: str) -> str:
        """What the status of an object tells, one condition a line."""
        obj = self.kubectl.get(resource, name)
        if obj is None:
            return f"no {resource} {name}"
        status = obj.get("status") or {}
        lines = [
            f"{item['type']}={item['status']} {item['reason']}: {item['message']}"
            for item in status.get("conditions", ())
        ]
        return "\n         ".join([f"{resource} {name}, install {status.get('install')}", *lines])

    def managed(self, name: str = "lantern") -> list[str]:
        """`Kind/name` of every object that carries the owner label of an extension, its revisions and Secrets too."""
        kinds = f"clusterobjectsets,secrets,{OWNED_KINDS}"
        return names_of(self.kubectl.items(kinds, selector=f"{OWNER}={name}"))

    def stop(self) -> None:
        """Stop the components and the cluster."""
        try:
            self.components.stop()
        finally:
            self.cluster.stop()

    def __enter__(self) -> World:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


def names_of(objects: Sequence[Mapping[str, Any]]) -> list[str]:
    """`Kind/name` of each object, sorted."""
    return sorted(f"{item['kind']}/{item['metadata']['name']}" for item in objects)


def has_reached(extension: Mapping[str, Any] | None, version: str) -> bool:
    """Whether an extension has a version installed and says that there is nothing left to do for its present spec.

    No version: whether there is no extension.
    """
    if extension is None or not version:
        return extension is None and not version
    bundle = ((extension.get("status") or {}).get("install") or {}).get("bundle") or {}
    progress = condition(extension, "Progressing")
    is_current = progress.get("observedGeneration") == extension["metadata"]["generation"]
    is_reached = progress.get("reason") == "Succeeded" and condition(extension, "Available").get("status") == "True"
    return bundle.get("version") == version and is_current and is_reached
