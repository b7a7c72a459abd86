"""ClusterExtensions from a served catalog to running objects, with the messages that a user reads."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.images import bundle_image, catalog_image
from devcluster.waiting import wait_for
from e2e.samples import SAMPLES_DIR, files_below
from e2e.world import World, condition

_numbers = itertools.count(1)
PREFIX = "olm.operatorframework.io"


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    made = World.of_samples(olm)
    made.apply_sample("clustercatalog.yaml")
    made.wait_serving()
    yield made
    made.kubectl.run("delete", "clusterextensions", "--all", "--timeout=150s")
    made.kubectl.run("delete", "clustercatalogs", "--all", "--timeout=150s")
    made.components.stop()


class Package:
    """A package of one test: bundles made from the sample, a catalog of its own, an account that may do everything."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.name = f"pkg-{next(_numbers)}"
        self.namespace = f"{self.name}-system"
        self.account = "installer"
        world.cluster.ensure_namespace(self.namespace)

    def grant_everything(self) -> None:
        """The account, as cluster-admin."""
        run = self.world.kubectl.run
        run("create", "serviceaccount", self.account, "-n", self.namespace)
        subject = f"--serviceaccount={self.namespace}:{self.account}"
        run("create", "clusterrolebinding", self.name, "--clusterrole=cluster-admin", subject)

    def push_bundle(self, version: str, *, is_stuck: bool = False, sample: str = "1.0.0") -> None:
        """A bundle of `version`; a stuck one asks for a node that does not exist."""
        files = files_below(SAMPLES_DIR / "bundles" / "lantern-operator" / sample)
        files = {path.replace("lantern", self.name): self._renamed(data) for path, data in files.items()}
        (csv,) = [path for path in files if "clusterserviceversion" in path]
        text = files[csv].decode().replace(f"{self.name}-operator.v{sample}", f"{self.name}.v{version}")
        if is_stuck:
            text = text.replace(
                "      containers:", "      nodeSelector: {kind: unheard-of}\n              containers:"
            )
        files[csv] = text.encode()
        self.world.registry.push(f"{self.name}/bundle:v{version}", bundle_image(files))

    def push_catalog(self, entries: list[dict[str, Any]]) -> None:
        """A catalog with these channel entries, and the ClusterCatalog that serves it."""
        host = self.world.registry.host
        blobs: list[dict[str, Any]] = [
            {"schema": "olm.package", "name": self.name, "defaultChannel": "stable"},
            {"schema": "olm.channel", "package": self.name, "name": "stable", "entries": entries},
        ]
        for entry in entries:
            version = entry["name"].removeprefix(f"{self.name}.v")
            value = {"packageName": self.name, "version": version}
            blobs.append(
                {
                    "schema": "olm.bundle",
                    "package": self.name,
                    "name": entry["name"],
                    "image": f"{host}/{self.name}/bundle:v{version}",
                    "properties": [{"type": "olm.package", "value": value}],
                }
            )
        text = "\n".join(json.dumps(blob) for blob in blobs)
        ref = self.world.registry.push(f"{self.name}/catalog:v1", catalog_image({"catalog.json": text.encode()}))
        source = {"type": "Image", "image": {"ref": ref}}
        self.world.kubectl.apply(
            {
                "apiVersion": f"{PREFIX}/v1",
                "kind": "ClusterCatalog",
                "metadata": {"name": self.name},
                "spec": {"source": source},
            }
        )
        self.world.wait_serving(self.name)

    def install(self, *, account: str | None = "installer", config: Any = None, **catalog: Any) -> None:
        """The ClusterExtension."""
        spec: dict[str, Any] = {
            "namespace": self.namespace,
            "source": {"sourceType": "Catalog", "catalog": {"packageName": self.name, **catalog}},
        }
        if account is not None:
            spec["serviceAccount"] = {"name": account}
        if config is not None:
            spec["config"] = {"configType": "Inline", "inline": config}
        self.world.kubectl.apply(
            {"apiVersion": f"{PREFIX}/v1", "kind": "ClusterExtension", "metadata": {"name": self.name}, "spec": spec}
        )

    def wait(self, type_: str, timeout_s: float = 20, **wanted: str) -> Mapping[str, Any]:
        """Wait until a condition of the extension has these fields."""

        def found() -> Mapping[str, Any] | None:
            state = condition(self.world.extension(self.name), type_)
            return state if all(state.get(key) == value for key, value in wanted.items()) else None

        try:
            return wait_for(found, f"{type_} of {self.name} to be {wanted}", timeout_s=timeout_s)
        except Exception as error:
            raise AssertionError(f"{error}\nfound {self.world.extension(self.name)}") from error

    def wait_installed(self, version: str) -> None:
        self.world.wait_installed(version, self.name)

    def deployment(self) -> dict[str, Any] | None:
        return self.world.kubectl.get("deployment", f"{self.name}-controller", self.namespace)

    def left(self) -> list[str]:
        """Everything that carries the owner label."""
        kinds = "clusterobjectsets,crds,clusterroles,clusterrolebindings,serviceaccounts,deployments,secrets,configmaps"
        found = self.world.kubectl.items(kinds, selector=f"{PREFIX}/owner-name={self.name}")
        return sorted(f"{item['kind']}/{item['metadata']['name']}" for item in found)

    def _renamed(self, data: bytes) -> bytes:
        text = data.decode()
        for old, new in (("lights.example.com", f"{self.name}.example.com"), ("lantern", self.name)):
            text = text.replace(old, new)
        return text.replace("Lantern", f"Kind{self.name.replace('-', '')}").encode()


@pytest.fixture
def package(world: World) -> Package:
    return Package(world)


def entries(package: Package, *versions: str) -> list[dict[str, Any]]:
    """A plain replaces chain."""
    names = [f"{package.name}.v{version}" for version in versions]
    return [{"name": name} | ({"replaces": names[index - 1]} if index else {}) for index, name in enumerate(names)]


def test_extension_names_a_missing_account_and_goes_on_when_it_appears(package: Package) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.install()
    text = (
        "operation cannot proceed due to the following validation error(s): "
        f'service account "installer" not found in namespace "{package.namespace}"'
    )
    package.wait("Installed", status="Unknown", reason="Failed", message=text)
    package.wait("Progressing", status="True", reason="Retrying", message=text)
    package.grant_everything()
    package.wait_installed("1.0.0")


def test_extension_without_account_is_blocked(package: Package) -> None:
    package.install(account=None)
    package.wait(
        "Progressing",
        status="False",
        reason="Blocked",
        message=f'spec.serviceAccount.name is required: name a ServiceAccount in namespace "{package.namespace}" '
        "or start the controller with --unscoped-extensions=allow",
    )


@pytest.mark.parametrize(
    ("catalog", "message"),
    [
        pytest.param({}, 'no bundles found for package "{name}"', id="unknown package"),
        pytest.param(
            {"version": ">=9", "channels": ["beta", "alpha"]},
            'no bundles found for package "{name}" matching version ">=9" in channels [beta alpha]',
            id="impossible range",
        ),
    ],
)
def test_extension_says_what_it_looked_for(package: Package, catalog: dict[str, Any], message: str) -> None:
    package.grant_everything()
    package.install(**catalog)
    text = message.format(name=package.name)
    package.wait("Progressing", status="True", reason="Retrying", message=text)
    package.wait("Installed", status="False", reason="Failed", message="No bundle installed")


def test_extension_lists_every_missing_right_and_keeps_what_is_installed(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_bundle("1.1.0", sample="1.1.0")
    package.push_catalog(entries(package, "1.0.0", "1.1.0"))
    package.grant_everything()
    package.install(version="1.0.0")
    package.wait_installed("1.0.0")
    world.kubectl.delete("clusterrolebinding", package.name)
    package.install(version="1.1.0")
    message = package.wait("Progressing", status="True", reason="Retrying")["message"]
    lines = message.split("\n")
    head = (
        f'error for resolved bundle "{package.name}.v1.1.0" with version "1.1.0": creating new Revision: '
        "pre-authorization failed: service account requires the following permissions to manage cluster extension:"
    )
    assert (lines[0], len(lines) > 6, all(line.startswith("  Namespace:") for line in lines[1:])) == (head, True, True)
    assert package.wait("Installed")["status"] == "True"
    status = (world.extension(package.name) or {})["status"]
    assert status["install"]["bundle"]["version"] == "1.0.0"
    run = world.kubectl.run
    run(
        "create",
        "clusterrolebinding",
        package.name,
        "--clusterrole=cluster-admin",
        f"--serviceaccount={package.namespace}:installer",
    )
    package.wait_installed("1.1.0")


def test_changed_spec_supersedes_a_stuck_rollout(package: Package, world: World) -> None:
    for version in ("1.0.0", "1.1.0", "1.2.0"):
        package.push_bundle(version, is_stuck=version == "1.1.0")
    listed = entries(package, "1.0.0", "1.1.0", "1.2.0")
    listed[2]["skips"] = [listed[0]["name"]]
    package.push_catalog(listed)
    package.grant_everything()
    package.install(version="1.0.0")
    package.wait_installed("1.0.0")
    package.install(version="1.1.0")
    package.wait("Progressing", status="True", reason="RollingOut", message="Revision 1.1.0 is rolling out.")
    assert (world.extension(package.name) or {})["status"]["install"]["bundle"]["version"] == "1.0.0"
    package.install(version="1.2.0")
    package.wait_installed("1.2.0")


def test_upgrade_removes_objects_that_left_the_bundle(package: Package, world: World) -> None:
    package.push_bundle("1.1.0", sample="1.1.0")
    package.push_bundle("1.2.0", sample="1.2.0")
    package.push_catalog(entries(package, "1.1.0", "1.2.0"))
    package.grant_everything()
    package.install(version="1.1.0")
    package.wait_installed("1.1.0")
    defaults = (f"{package.name}-defaults", package.namespace)
    assert world.kubectl.get("configmap", *defaults) is not None
    package.install()
    package.wait_installed("1.2.0")
    wait_for(lambda: world.kubectl.get("configmap", *defaults) is None, "the ConfigMap to be gone", timeout_s=10)
    assert world.kubectl.get("service", f"{package.name}-metrics", package.namespace) is not None


def test_configuration_restricts_what_the_operator_watches(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.grant_everything()
    watched = f"{package.name}-watched"
    world.cluster.ensure_namespace(watched)
    package.install(config={"watchNamespace": watched})
    package.wait_installed("1.0.0")
    roles = world.kubectl.items("roles", watched, selector=f"{PREFIX}/owner-name={package.name}")
    assert len(roles) == 1
    package.install(config={"watchNamespace": "Not A Namespace"})
    message = package.wait("Progressing", status="False", reason="InvalidConfiguration")["message"]
    assert message.startswith(f'error for resolved bundle "{package.name}.v1.0.0" with version "1.0.0": invalid')
    assert package.wait("Installed")["status"] == "True"


def test_installed_extension_outlives_its_catalog(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.grant_everything()
    selector = {"matchLabels": {f"{PREFIX}/metadata.name": package.name}}
    package.install(version=">=1.0", selector=selector)
    package.wait_installed("1.0.0")
    world.kubectl.delete("clustercatalog", package.name)
    world.kubectl.delete("deployment", f"{package.name}-controller", package.namespace)
    wait_for(package.deployment, "the deployment to be back", timeout_s=5)
    package.install(version=">=1", selector=selector)
    package.wait("Progressing", status="True", reason="Succeeded", message="Desired state reached")


def test_sick_catalog_disturbs_nothing_else(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.grant_everything()
    package.install()
    package.wait_installed("1.0.0")
    source = {"type": "Image", "image": {"ref": "127.0.0.1:9/no/catalog:v1"}}
    sick = {
        "apiVersion": f"{PREFIX}/v1",
        "kind": "ClusterCatalog",
        "metadata": {"name": "sick"},
        "spec": {"source": source},
    }
    world.kubectl.apply(sick)
    try:
        package.install(version="1.x")
        package.wait("Progressing", status="True", reason="Succeeded", message="Desired state reached")
        world.kubectl.delete("deployment", f"{package.name}-controller", package.namespace)
        wait_for(package.deployment, "the deployment to be back", timeout_s=5)
    finally:
        world.kubectl.delete("clustercatalog", "sick")


def test_deletion_leaves_nothing_when_account_rights_and_catalog_went_first(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.grant_everything()
    package.install()
    package.wait_installed("1.0.0")
    world.kubectl.delete("clustercatalog", package.name)
    world.kubectl.delete("clusterrolebinding", package.name)
    world.kubectl.delete("serviceaccount", "installer", package.namespace)
    world.kubectl.delete("clusterextension", package.name)
    wait_for(lambda: not package.left(), "everything to be gone", timeout_s=30)
    assert world.kubectl.get("namespace", package.namespace) is not None


def test_orphaning_deletion_leaves_everything(package: Package, world: World) -> None:
    package.push_bundle("1.0.0")
    package.push_catalog(entries(package, "1.0.0"))
    package.grant_everything()
    package.install()
    package.wait_installed("1.0.0")
    world.kubectl.run("delete", "clusterextension", package.name, "--cascade=orphan", "--timeout=150s")
    assert package.deployment() is not None
    world.kubectl.run("delete", "clusterobjectset", "-l", f"{PREFIX}/owner-name={package.name}", "--timeout=150s")
    wait_for(lambda: not package.left(), "everything to be gone", timeout_s=30)
