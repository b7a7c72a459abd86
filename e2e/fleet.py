"""Many independent operators: copies of the sample operator under other names, made in memory.

Each has its own package, CRD, Deployment, namespace, account and rights; one catalog image holds all of them. Used by
the soak test, the test of fifty extensions, and wherever a neighbour must stay undisturbed.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from devcluster.images import bundle_image, catalog_image
from devcluster.registry import Registry
from e2e.samples import SAMPLES_DIR, files_below

__all__ = ["FLEET_TAG", "VERSIONS", "Member", "catalog_of", "fleet", "push_fleet", "push_fleet_catalog"]

VERSIONS = ("1.0.0", "1.0.1", "1.1.0", "1.2.0", "2.0.0")
FLEET_TAG = "fleet/catalog:latest"
_CONFIRM_DELETE_CRDS = "extras.olm.operatorframework.io/confirm-delete-crds"
# the bundle watches all namespaces, so what it may do in one it may do in all: two cluster roles
_ALWAYS = (
    *("CustomResourceDefinition", "ServiceAccount", "Deployment"),
    *("ClusterRole", "ClusterRole", "ClusterRoleBinding", "ClusterRoleBinding"),
)
_EXTRA = {"1.1.0": "ConfigMap", "1.2.0": "Service", "2.0.0": "Service"}


@dataclass(frozen=True, slots=True)
class Member:
    """One operator; `name` takes the place of `lantern` everywhere: letters and digits, a letter first."""

    name: str

    @property
    def namespace(self) -> str:
        """Where it is installed."""
        return f"{self.name}-system"

    @property
    def package(self) -> str:
        """Its package in the catalog."""
        return f"{self.name}-operator"

    def renamed(self, text: str) -> str:
        """A text about the sample operator as a text about this one."""
        return text.replace("lantern", self.name).replace("Lantern", self.name.capitalize())

    def bundle(self, version: str) -> dict[str, bytes]:
        """The files of one of its bundles."""
        files = files_below(SAMPLES_DIR / "bundles" / "lantern-operator" / version)
        return {self.renamed(path): self.renamed(content.decode()).encode() for path, content in files.items()}

    def catalog(self) -> str:
        """Its part of the catalog, with every version."""
        return self.renamed((SAMPLES_DIR / "catalogs" / "lights-2" / "lantern-operator" / "catalog.yaml").read_text())

    def installer(self) -> list[dict[str, Any]]:
        """Namespace, account and rights."""
        return [document for document in yaml.safe_load_all(self._sample("installer.yaml")) if document]

    def extension(self, **catalog: Any) -> dict[str, Any]:
        """A ClusterExtension named like the member that asks for `catalog` (fields of `spec.source.catalog`).

        Whoever deletes it wants its custom resources to go as well.
        """
        manifest: dict[str, Any] = yaml.safe_load(self._sample("clusterextension.yaml"))
        wanted = {"packageName": self.package, **catalog}
        metadata = {**manifest["metadata"], "annotations": {_CONFIRM_DELETE_CRDS: "true"}}
        spec = {**manifest["spec"], "source": {"sourceType": "Catalog", "catalog": wanted}}
        return {**manifest, "metadata": metadata, "spec": spec}

    def custom_resource(self, name: str) -> dict[str, Any]:
        """An object of the kind that the operator brings."""
        return {
            "apiVersion": "lights.example.com/v1alpha1",
            "kind": self.name.capitalize(),
            "metadata": {"name": name, "namespace": self.namespace},
            "spec": {"color": "amber"},
        }

    def kinds(self, version: str) -> Counter[str]:
        """How many objects of which kind a version consists of."""
        extra = _EXTRA.get(version)
        return Counter(_ALWAYS + ((extra,) if extra else ()))

    def _sample(self, name: str) -> str:
        return self.renamed((SAMPLES_DIR / name).read_text())


@cache
def fleet(count: int, prefix: str = "lamp") -> tuple[Member, ...]:
    """`count` members that share nothing."""
    return tuple(Member(f"{prefix}{number:02}") for number in range(1, count + 1))


def push_fleet(registry: Registry, members: Iterable[Member], versions: Sequence[str] = VERSIONS) -> None:
    """Push the bundles of every member."""
    for member in members:
        for version in versions:
            image = bundle_image(member.bundle(version))
            registry.push(f"lights/{member.package}-bundle:v{version}", image)


def push_fleet_catalog(registry: Registry, members: Iterable[Member], edition: int = 1) -> str:
    """Push one catalog with every member; its reference by digest. Editions differ in a blob that nobody asks for."""
    files = {f"{member.package}/catalog.yaml": member.catalog().encode() for member in members}
    files["edition.json"] = json.dumps({"schema": "example.com.edition", "name": f"edition-{edition}"}).encode()
    return registry.push(FLEET_TAG, catalog_image(files))


def catalog_of(name: str = "fleet") -> dict[str, Any]:
    """A ClusterCatalog of the image that `push_fleet_catalog` pushes."""
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterCatalog",
        "metadata": {"name": name},
        "spec": {"source": {"type": "Image", "image": {"ref": f"registry.example.com/{FLEET_TAG}"}}},
    }
