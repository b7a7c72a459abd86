"""Operators of one test on a running OLM: bundles made of plain manifests, a catalog, an account, an extension."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from devcluster.cluster import Cluster
from devcluster.components import Component
from devcluster.images import bundle_image, catalog_image, chart_image
from devcluster.processes import tail_of
from devcluster.waiting import wait_for
from e2e.logs import problems
from e2e.world import UnmetError, World, condition, expect
from tests.charts import chart_files

__all__ = [
    "CONFIRM_DELETE_CRDS",
    "PREFIX",
    "Operator",
    "bundle_of",
    "catalog",
    "config_map",
    "crd",
    "do_the_main_job",
    "down",
    "publish",
    "running_world",
    "wait_for_writes",
]

PREFIX = "olm.operatorframework.io"
CONFIRM_DELETE_CRDS = f"extras.{PREFIX}/confirm-delete-crds"
_PACKAGE_KEY = "operators.operatorframework.io.bundle.package.v1"
_PATIENCE_S = 60.0  # what takes a second alone takes many when every core is busy
_numbers = itertools.count(1)


@contextmanager
def running_world(cluster: Cluster, controller_flags: Mapping[str, str | None] | None = None) -> Iterator[World]:
    """Both components on the cluster of the session; afterwards nothing of them is left and their logs are clean."""
    world = World(cluster, controller_flags=controller_flags)
    before = {component.name: component.log_text() for component in world.both}
    world.start()
    try:
        yield world
    finally:
        for kind in ("clusterextensions", "clusterobjectsets", "clustercatalogs"):
            world.kubectl.run("delete", kind, "--all", "--timeout=150s")
        for component in world.both:
            # pytest shows captured output of failed tests only
            print(f"--- end of {component.log} ---\n{tail_of(component.log, 40)}")
        world.components.stop()
    for component in world.both:
        told = component.log_text()[len(before[component.name]) :]
        found = [line for line in problems(told) if not _is_torn(line)]
        assert not found, "\n".join(found)


def _is_torn(line: str) -> bool:
    """Whether a kill cut the line off in the writing; the next process goes on behind it."""
    try:
        return line.startswith("{") and json.loads(line) is None
    except ValueError:
        return True


@contextmanager
def down(component: Component) -> Iterator[None]:
    """The component is killed, away inside the block, and ready again after it."""
    component.kill()
    wait_for(lambda: not component.is_running, f"{component.name} to be gone")
    yield
    component.start().wait_ready()


class Operator:
    """A made-up operator: its name is that of package, catalog and extension, and the prefix of its objects."""

    def __init__(self, world: World, name: str = "") -> None:
        self.world = world
        self.kubectl = world.kubectl
        self.name = name or f"op-{next(_numbers):03}"
        self.namespace = f"{self.name}-system"
        self.account = f"{self.namespace}:installer"

    def prepare(self) -> Operator:
        """Make the namespace and an account that may do everything."""
        self.world.cluster.ensure_namespace(self.namespace)
        account = {"name": "installer", "namespace": self.namespace}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"}
        self.kubectl.apply(
            {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account},
            {
                "apiVersion": "rbac.authorization.k8s.io/v1",
                "kind": "ClusterRoleBinding",
                "metadata": {"name": self.name},
                "roleRef": role,
                "subjects": [{"kind": "ServiceAccount", **account}],
            },
        )
        return self

    def forget(self) -> None:
        """Remove the catalog, and what `prepare` made, without waiting for it."""
        self.kubectl.delete("clustercatalog", self.name, wait=False)
        self.kubectl.delete("clusterrolebinding", self.name, wait=False)
        self.kubectl.delete("namespace", self.namespace, wait=False)

    def publish(self, bundles: Mapping[str, Mapping[str, bytes]]) -> Operator:
        """Push the files of bundles by version, and serve a catalog of its own; each replaces the one before."""
        publish(self.world, self.name, {self.name: bundles})
        return self

    def manifest(self, *, config: Mapping[str, Any] | None = None, **wanted: Any) -> dict[str, Any]:
        """The ClusterExtension; `wanted` goes into `spec.source.catalog`."""
        spec: dict[str, Any] = {
            "namespace": self.namespace,
            "serviceAccount": {"name": "installer"},
            "source": {"sourceType": "Catalog", "catalog": {"packageName": self.name, **wanted}},
        }
        if config is not None:
            spec["config"] = {"configType": "Inline", "inline": dict(config)}
        metadata = {"name": self.name}
        return {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterExtension", "metadata": metadata, "spec": spec}

    def install(self, *, config: Mapping[str, Any] | None = None, **wanted: Any) -> None:
        """Create the extension, or change what it wants."""
        self.kubectl.apply(self.manifest(config=config, **wanted))

    def wait(
        self, type_: str, *, resource: str = "clusterextension", name: str = "", **wanted: str
    ) -> Mapping[str, Any]:
        """Wait until a condition of the extension, or of another object, has these fields; the condition."""
        named = name or self.name

        def check() -> Mapping[str, Any] | None:
            found = condition(self.kubectl.get(resource, named), type_)
            return found if all(found.get(key) == value for key, value in wanted.items()) else None

        what = f"{type_} of {resource} {named} with {wanted}"
        return expect(what, check, lambda: self.kubectl.get(resource, named), _PATIENCE_S)

    def wait_set(self, number: int, type_: str, **wanted: str) -> Mapping[str, Any]:
        """Wait until a condition of a revision has these fields; the condition."""
        return self.wait(type_, resource="clusterobjectset", name=f"{self.name}-{number}", **wanted)

    def wait_installed(self, version: str) -> dict[str, Any]:
        """Wait until `version` is installed, available and at rest; the extension."""
        return self.world.wait_installed(version, self.name, _PATIENCE_S)

    def delete(self) -> None:
        """Delete the extension, with all that is lost by it, and wait until it is gone."""
        self.kubectl.attempt("annotate", "--overwrite", "clusterextension", self.name, f"{CONFIRM_DELETE_CRDS}=true")
        self.kubectl.delete("clusterextension", self.name)

    def sets(self) -> list[dict[str, Any]]:
        """The revisions, lowest first."""
        found = self.kubectl.items("clusterobjectsets", selector=f"{PREFIX}/owner-name={self.name}")
        return sorted(found, key=lambda item: int(item["spec"]["revision"]))

    def lifecycle(self) -> dict[str, str]:
        """Name and lifecycle state of every revision."""
        return {item["metadata"]["name"]: item["spec"]["lifecycleState"] for item in self.sets()}

    def wait_torn_down(self, *numbers: int) -> None:
        """Wait until the archived revisions are exactly these and each is taken down."""
        names = [f"{self.name}-{number}" for number in numbers]
        expect(
            f"revisions {names} of {self.name} to be archived and taken down",
            lambda: [item["metadata"]["name"] for item in self.sets() if _is_torn_down(item)] == names,
            self.sets,
            _PATIENCE_S,
        )

    def secrets(self) -> list[dict[str, Any]]:
        """The Secrets that hold objects of the revisions."""
        return self.kubectl.items("secrets", "olmv1-system", selector=f"{PREFIX}/owner-name={self.name}")

    def wait_nothing_left(self) -> None:
        """Wait until no object carries the owner label of the extension."""
        expect(
            f"nothing of {self.name} to be left",
            lambda: not self.world.managed(self.name),
            lambda: self.world.managed(self.name),
            _PATIENCE_S,
        )


def do_the_main_job(world: World) -> None:
    """Install, upgrade and remove a bundle; install and remove a chart, which helm renders."""
    operator, chart = Operator(world).prepare(), Operator(world).prepare()
    operator.publish({version: bundle_of(operator.name, version, config_map("lamp")) for version in ("1.0.0", "1.1.0")})
    for version in ("1.0.0", "1.1.0"):
        operator.install(version=version)
        operator.wait_installed(version)
    files = {path.removeprefix("lantern/"): data for path, data in chart_files(name=chart.name).items()}
    chart.publish({"1.0.0": files})
    chart.install(config={"level": "high"})
    chart.wait_installed("1.0.0")
    for one in (operator, chart):
        one.delete()
        one.wait_nothing_left()
        one.forget()


def wait_for_writes(operator: Operator, count: int, *, since: int) -> None:
    """Return as soon as the controller has written `count` times about the extension; looks every two milliseconds."""
    audit, end = operator.world.cluster.audit, time.monotonic() + 30
    while time.monotonic() < end:
        requests = audit.requests(user="operator-controller", since=since)
        found = [item for item in requests if item.is_write and operator.name in item.uri and item.code < 300]
        if len(found) >= count:
            return
        time.sleep(0.002)
    raise UnmetError(f"{count} writes about {operator.name}", f"{len(found)}: {found}")


def publish(
    world: World,
    name: str,
    packages: Mapping[str, Mapping[str, Mapping[str, bytes]]],
    others: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Push bundles, or charts (those with a Chart.yaml), by package and version, and serve one catalog of them.

    `others` are more blobs of the catalog.
    """
    blobs: list[Mapping[str, Any]] = [*others]
    for package, bundles in packages.items():
        blobs += replaces_chain(package, list(bundles))
        for version, files in bundles.items():
            image = f"{package}/bundle:v{version}"
            world.registry.push(image, chart_image(files) if "Chart.yaml" in files else bundle_image(files))
            blobs.append(_bundle_blob(package, version, f"{world.registry.host}/{image}"))
    text = "\n".join(json.dumps(blob) for blob in blobs)
    ref = world.registry.push(f"{name}/catalog:v1", catalog_image({"catalog.json": text.encode()}))
    world.kubectl.apply(catalog(name, ref))
    world.wait_serving(name, ref)


def bundle_of(name: str, version: str, *manifests: Mapping[str, Any], crds: Sequence[str] = ()) -> dict[str, bytes]:
    """The files of a bundle with one Deployment `<name>-controller`, more manifests, and CRDs of these plurals."""
    group = f"{name}.example.com"
    owned = [{"name": f"{plural}.{group}", "kind": _kind(plural), "version": "v1"} for plural in crds]
    deployment = {"name": f"{name}-controller", "spec": _deployment_spec(name, version)}
    csv = {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "ClusterServiceVersion",
        "metadata": {"name": f"{name}.v{version}"},
        "spec": {
            "version": version,
            "installModes": [{"type": "AllNamespaces", "supported": True}],
            "customresourcedefinitions": {"owned": owned},
            "install": {"strategy": "deployment", "spec": {"deployments": [deployment]}},
        },
    }
    every = [csv, *(crd(plural, group) for plural in crds), *manifests]
    files = {f"manifests/{number:03}.yaml": json.dumps(manifest).encode() for number, manifest in enumerate(every)}
    return {**files, "metadata/annotations.yaml": json.dumps({"annotations": {_PACKAGE_KEY: name}}).encode()}


def _deployment_spec(name: str, version: str) -> dict[str, Any]:
    labels = {"app": name}
    pod = {"containers": [{"name": "manager", "image": f"registry.example.com/{name}:v{version}"}]}
    template = {"metadata": {"labels": labels}, "spec": pod}
    return {"replicas": 1, "selector": {"matchLabels": labels}, "template": template}


def crd(plural: str, group: str) -> dict[str, Any]:
    """A CRD of namespaced objects with any content."""
    names = {"plural": plural, "kind": _kind(plural), "singular": plural[:-1], "listKind": f"{_kind(plural)}List"}
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    version = {"name": "v1", "served": True, "storage": True, "schema": schema}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": names, "versions": [version]},
    }


def config_map(name: str, namespace: str = "", **data: str) -> dict[str, Any]:
    """A ConfigMap; without a namespace that of the extension is used."""
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": data or {"a": "b"}}


def catalog(name: str, ref: str) -> dict[str, Any]:
    """A ClusterCatalog of an image."""
    source = {"type": "Image", "image": {"ref": ref}}
    return {
        "apiVersion": f"{PREFIX}/v1",
        "kind": "ClusterCatalog",
        "metadata": {"name": name},
        "spec": {"source": source},
    }


def replaces_chain(package: str, versions: Sequence[str]) -> list[dict[str, Any]]:
    """The blobs of a package with one channel in which each version replaces the one before."""
    names = [f"{package}.v{version}" for version in versions]
    entries = [{"name": name} | ({"replaces": names[index - 1]} if index else {}) for index, name in enumerate(names)]
    return [
        {"schema": "olm.package", "name": package, "defaultChannel": "stable"},
        {"schema": "olm.channel", "package": package, "name": "stable", "entries": entries},
    ]


def _bundle_blob(package: str, version: str, image: str) -> dict[str, Any]:
    value = {"packageName": package, "version": version}
    return {
        "schema": "olm.bundle",
        "package": package,
        "name": f"{package}.v{version}",
        "image": image,
        "properties": [{"type": "olm.package", "value": value}],
    }


def _is_torn_down(item: Mapping[str, Any]) -> bool:
    return condition(item, "Progressing").get("reason") == "Archived"


def _kind(plural: str) -> str:
    return plural.removesuffix("s").capitalize()
