"""What one scenario does to the world, and what it remembers; it works through `kubectl`, as a user does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

import yaml

from devcluster.images import catalog_image
from e2e.fleet import catalog_of, fleet, push_fleet, push_fleet_catalog
from e2e.samples import CATALOG_TAG, SAMPLES_DIR, push_catalog
from e2e.world import World, expect

__all__ = ["NAMESPACE", "NEIGHBOUR", "Scene"]

NAMESPACE = "lantern-system"
NEIGHBOUR = fleet(1, "neighbour")[0]
_RIGHTS = ("clusterrole", "clusterrolebinding", "role", "rolebinding")


class Scene:
    """One scenario; `clear` removes what it made, except the catalog and the neighbour, which all scenarios share."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.kubectl = world.kubectl
        self.pushed = ""
        self.audited_from = world.cluster.audit.position() if world.cluster.is_own else 0
        self.kept: list[str] = []
        self.neighbour: Mapping[str, Any] = {}
        self._registry_away = ExitStack()

    def apply(self, manifest: Mapping[str, Any], how: str = "server-side") -> None:
        """`kubectl apply -f` a manifest, without forcing anything."""
        mode = {"client-side": [], "server-side": ["--server-side"]}[how]
        self.kubectl.run("apply", *mode, "-f", "-", stdin=json.dumps(manifest).encode())

    def sample_extension(self) -> dict[str, Any]:
        """`clusterextension.yaml`."""
        manifest: dict[str, Any] = yaml.safe_load((SAMPLES_DIR / "clusterextension.yaml").read_text())
        return manifest

    def serve(self, edition: int) -> None:
        """Have an edition of the sample catalog served."""
        ref = push_catalog(self.world.registry, edition)
        self.apply(yaml.safe_load((SAMPLES_DIR / "clustercatalog.yaml").read_text()))
        self.world.poll()
        self.world.wait_serving(ref=ref)

    def push_edition(self, edition: int) -> None:
        """Push an edition of the sample catalog, and leave finding it to catalogd."""
        self.pushed = push_catalog(self.world.registry, edition)

    def push_catalog_text(self, tag: str, text: str) -> None:
        """Push an image with one catalog file."""
        self.world.registry.push(tag, catalog_image({"catalog.yaml": text.encode()}))

    def break_catalog(self) -> None:
        """Push something that is no catalog under the tag of the sample catalog."""
        self.push_catalog_text(CATALOG_TAG, "schema: [unclosed\n")

    def grant(self) -> None:
        """`kubectl apply -f installer.yaml`."""
        self.kubectl.run("apply", "-f", str(SAMPLES_DIR / "installer.yaml"))

    def revoke(self) -> None:
        """The namespace and the account are there, its rights are not."""
        self.grant()
        for resource in _RIGHTS:
            namespace = None if resource.startswith("cluster") else NAMESPACE
            self.kubectl.delete(resource, "lantern-installer", namespace)

    def remove_account(self) -> None:
        """The namespace is there, the account is not."""
        self.revoke()
        self.kubectl.delete("serviceaccount", "lantern-installer", NAMESPACE)

    def ensure_neighbour(self) -> None:
        """An extension of another package, from another catalog, as another account; and how it looks now."""
        if self.world.extension(NEIGHBOUR.name) is None:
            push_fleet(self.world.registry, [NEIGHBOUR], ["1.0.1"])
            push_fleet_catalog(self.world.registry, [NEIGHBOUR])
            self.kubectl.apply(catalog_of("harbour"), *NEIGHBOUR.installer(), NEIGHBOUR.extension(version="~1.0"))
        self.world.wait_installed("1.0.1", NEIGHBOUR.name)
        self.neighbour = self.look_of_neighbour()

    def look_of_neighbour(self) -> Mapping[str, Any]:
        """Everything about the neighbour that would change if it were disturbed."""
        extension = self.world.extension(NEIGHBOUR.name) or {}
        selector = f"olm.operatorframework.io/owner-name={NEIGHBOUR.name}"
        objects = self.kubectl.items(
            "clusterobjectsets,customresourcedefinitions,deployments,serviceaccounts", selector=selector
        )
        seen = [(o["kind"], o["metadata"]["uid"], o["metadata"].get("generation")) for o in objects]
        return {"status": extension.get("status"), "spec": extension.get("spec"), "objects": seen}

    def take_registry_away(self) -> None:
        """From here on the registry does not answer."""
        self._registry_away.enter_context(self.world.registry.away())

    def bring_registry_back(self) -> None:
        """The registry answers again."""
        self._registry_away.close()

    def clear(self) -> None:
        """Remove extensions and catalogs of this scenario, and wait until nothing of them is left."""
        self.bring_registry_back()
        for resource, kept in (("clusterextension", {NEIGHBOUR.name}), ("clustercatalog", {"lights", "harbour"})):
            for item in self.kubectl.items(resource):
                if item["metadata"]["name"] not in kept:
                    self.kubectl.delete(resource, item["metadata"]["name"])
        expect("nothing of the extension to be left", lambda: not self.world.managed(), self.world.managed)
