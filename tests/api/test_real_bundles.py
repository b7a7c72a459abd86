"""Published bundles from image to running objects and back: what the cluster holds is what is rendered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.images import bundle_image, catalog_image, files_of
from e2e.inventory import take, wait_for_inventory
from e2e.world import World
from operator_controller.bundle import parse_bundle
from operator_controller.renderer import RenderOptions, render
from tests.api.operators import PREFIX, Operator, catalog, running_world
from tests.data import data_dir

pytestmark = pytest.mark.data

NAMESPACE = "target-ns"
CATALOG = "certified"
OWN = {"watchNamespace": NAMESPACE}


@dataclass(frozen=True)
class Published:
    """One bundle of the test data: where it is, its version, what its newer copy is called, how it is configured."""

    path: str
    version: str
    newer: str
    config: Mapping[str, Any] | None = None

    @property
    def package(self) -> str:
        return self.path.partition("/")[0]

    @cached_property
    def expected(self) -> dict[str, Any]:
        """The objects that are rendered, by `Kind/namespace/name`; other tests compare them with the reference."""
        bundle = parse_bundle(files_of(Path(data_dir("bundles", self.path))))
        return {_key(each): each for each in render(bundle, RenderOptions(NAMESPACE, self.config))}

    def files(self, version: str) -> dict[str, bytes]:
        """Its files; another version is written into the CSV."""
        files = files_of(Path(data_dir("bundles", self.path)))
        return {
            name: data.replace(self.version.encode(), version.encode()) if "clusterserviceversion" in name else data
            for name, data in files.items()
        }

    def blobs(self, host: str) -> Iterator[dict[str, Any]]:
        yield {"schema": "olm.package", "name": self.package, "defaultChannel": "stable"}
        names = {version: f"{self.package}.v{version}" for version in (self.version, self.newer)}
        first, second = names.values()
        entries = [{"name": first}, {"name": second, "replaces": first}]
        yield {"schema": "olm.channel", "package": self.package, "name": "stable", "entries": entries}
        for version, name in names.items():
            value = {"packageName": self.package, "version": version}
            yield {
                "schema": "olm.bundle",
                "package": self.package,
                "name": name,
                "image": f"{host}/{self.package}:v{version}",
                "properties": [{"type": "olm.package", "value": value}],
            }


BUNDLES = (
    Published("nginx-ingress-operator/v1.0.0", "1.0.0", "1.0.1"),
    Published("app-insights-operator/1.14.0", "1.14.0", "1.15.0"),
    Published("lightbits-operator/1.2.0", "1.2.0", "1.2.1"),
    Published("leaksignal-operator/1.6.1", "1.6.1", "1.7.0"),
    Published("kubemq-operator-marketplace/1.8.0", "1.8.0", "1.8.1", config=OWN),
)


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    data_dir("bundles")
    with running_world(olm) as made:
        olm.ensure_namespace(NAMESPACE)
        for bundle in BUNDLES:
            for version in (bundle.version, bundle.newer):
                olm.registry.push(f"{bundle.package}:v{version}", bundle_image(bundle.files(version)))
        blobs = [blob for bundle in BUNDLES for blob in bundle.blobs(olm.registry.host)]
        text = "\n".join(json.dumps(blob) for blob in blobs)
        ref = olm.registry.push("certified/catalog:v1", catalog_image({"catalog.json": text.encode()}))
        olm.kubectl.apply(catalog(CATALOG, ref))
        made.wait_serving(CATALOG)
        yield made
    olm.kubectl.delete("namespace", NAMESPACE, wait=False)


@pytest.fixture
def extension(world: World, request: pytest.FixtureRequest) -> Iterator[Operator]:
    """The extension of a bundle, which acts as an administrator."""
    made = Operator(world, request.param.package)
    made.namespace = NAMESPACE
    yield made.prepare()
    made.delete()


@pytest.mark.parametrize(
    ("bundle", "extension"),
    [pytest.param(bundle, bundle, id=bundle.package) for bundle in BUNDLES],
    indirect=["extension"],
)
def test_published_bundle_becomes_what_is_rendered_and_goes_without_a_trace(
    world: World, bundle: Published, extension: Operator
) -> None:
    before = take(world.kubectl)
    extension.install(config=bundle.config, version=bundle.version)
    extension.wait_installed(bundle.version)
    live = _live(world, extension.name)
    assert sorted(live) == sorted(bundle.expected)
    differences = {key: missing(_wish(wanted), live[key]) for key, wanted in bundle.expected.items()}
    assert {key: lines for key, lines in differences.items() if lines} == {}
    extension.delete()
    wait_for_inventory(world.kubectl, before)


@pytest.mark.parametrize("extension", [BUNDLES[2]], indirect=True, ids=[BUNDLES[2].package])
def test_published_bundle_is_upgraded_in_place(world: World, extension: Operator) -> None:
    bundle, before = BUNDLES[2], take(world.kubectl)
    extension.install(version=bundle.version)
    extension.wait_installed(bundle.version)
    old = {key: obj["metadata"]["uid"] for key, obj in _live(world, extension.name).items()}
    extension.install()
    extension.wait_installed(bundle.newer)
    new = _live(world, extension.name)
    assert {key: obj["metadata"]["uid"] for key, obj in new.items()} == old
    versions = {obj["metadata"]["annotations"][f"{PREFIX}/bundle-version"] for obj in new.values()}
    assert versions == {bundle.newer}
    extension.delete()
    wait_for_inventory(world.kubectl, before)


def _live(world: World, name: str) -> dict[str, dict[str, Any]]:
    """What carries the owner label, by `Kind/namespace/name` or `Kind/name`, without the revisions themselves."""
    kinds = (
        "crds,clusterroles,clusterrolebindings,roles,rolebindings,sa,deployments,services,configmaps,priorityclasses"
    )
    found = world.kubectl.items(kinds, selector=f"{PREFIX}/owner-name={name}")
    return {_key(item): item for item in found}


def _key(item: Mapping[str, Any]) -> str:
    metadata = item["metadata"]
    return "/".join(filter(None, [item["kind"], metadata.get("namespace"), metadata["name"]]))


def _wish(rendered: Mapping[str, Any]) -> dict[str, Any]:
    """A rendered object without what belongs to the API server, and with the label that every managed object gets."""
    metadata = {key: value for key, value in rendered["metadata"].items() if key != "creationTimestamp"}
    labels = {**metadata.get("labels", {}), "app.kubernetes.io/managed-by": PREFIX}
    return {key: value for key, value in rendered.items() if key != "status"} | {
        "metadata": {**metadata, "labels": labels}
    }


def missing(wanted: Any, live: Any, path: str = "") -> list[str]:
    """The paths of `wanted` that `live` says otherwise; what the API server adds, or leaves out as empty, is fine."""
    if isinstance(wanted, dict) and isinstance(live, dict | None):
        return [
            line for key, value in wanted.items() for line in missing(value, (live or {}).get(key), f"{path}.{key}")
        ]
    if isinstance(wanted, list) and isinstance(live, list) and len(wanted) == len(live):
        pairs = enumerate(zip(wanted, live, strict=True))
        return [line for index, pair in pairs for line in missing(*pair, f"{path}[{index}]")]
    same = wanted == live or (not wanted and not live)
    return [] if same else [f"{path}: wanted {wanted!r}, found {live!r}"]
