"""The chart as a release of Helm on a cluster, through pyhelm3; and the components, run here as its Deployments say."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyhelm3  # type: ignore[import-untyped]
import yaml

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import ComponentOptions, Components, catalogd, operator_controller
from devcluster.kubectl import Kubectl
from e2e.world import World
from tools.chart.copies import CHART

__all__ = ["Release", "components_of", "is_current", "older_chart", "world_of"]

_NAME = "olmv1"
_NEW_FIELD = "availableUpgrades"
_KINDS = (
    "clusterroles,clusterrolebindings,roles,rolebindings,serviceaccounts,services,deployments,networkpolicies,"
    "poddisruptionbudgets,validatingadmissionpolicies,validatingadmissionpolicybindings,customresourcedefinitions"
)
# What depends on the machine: the components run beside the cluster here, not in it.
_OF_THIS_PLACE = frozenset(
    {"catalogs-server-addr", "external-address", "health-probe-bind-address", "metrics-bind-address"}
)


class Release:
    """`helm upgrade --install` and `helm uninstall` of a chart in the system namespace."""

    def __init__(self, cluster: Cluster) -> None:
        self._kubectl = cluster.kubectl
        executable = str(cluster.workspace.binaries.path("helm"))
        self._helm = pyhelm3.Client(executable=executable, kubeconfig=cluster.kubeconfig)

    async def put(self, values: Mapping[str, Any], chart: Path = CHART) -> None:
        """Install or upgrade, and wait until everything is ready."""
        loaded = await self._helm.get_chart(chart)
        await self._helm.install_or_upgrade_release(
            _NAME, loaded, dict(values), namespace=SYSTEM_NAMESPACE, wait=True, timeout="5m"
        )

    async def remove(self) -> None:
        """Uninstall, and wait until what it removes is gone."""
        await self._helm.uninstall_release(_NAME, namespace=SYSTEM_NAMESPACE, wait=True, timeout="5m")

    def objects(self) -> set[str]:
        """`Kind/name` of the objects of the cluster that say they belong to the release."""
        found = self._kubectl.items(_KINDS, selector="app.kubernetes.io/managed-by=Helm")
        return {f"{item['kind']}/{item['metadata']['name']}" for item in found}


def older_chart(folder: Path) -> Path:
    """A copy that stands for an earlier version: a CRD without its newest field, and an account with a right less."""
    chart = folder / "olmv1"
    shutil.copytree(CHART, chart)
    about = chart / "Chart.yaml"
    about.write_text(about.read_text().replace("version: 0.1.0", "version: 0.0.9"))
    crd = chart / "files/crd/olm.operatorframework.io_clusterextensions.yaml"
    document = yaml.safe_load(crd.read_text())
    status = document["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]
    del status["properties"][_NEW_FIELD]
    crd.write_text(yaml.safe_dump(document))
    roles = chart / "files/rbac/roles-people.yaml"
    roles.write_text(roles.read_text().replace("verbs: [create, delete, patch, update]", "verbs: [create, delete]"))
    return chart


def is_current(kubectl: Kubectl) -> tuple[bool, bool]:
    """Whether the cluster has the field of the CRD, and the right, that `older_chart` lacks."""
    crd = kubectl.get("customresourcedefinition", "clusterextensions.olm.operatorframework.io")
    role = kubectl.get("clusterrole", "operator-controller-clusterextension-installer-role")
    assert crd is not None
    assert role is not None
    status = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["status"]
    return _NEW_FIELD in status["properties"], "patch" in role["rules"][0]["verbs"]


def world_of(cluster: Cluster, chart: Path) -> World:
    """A world on a cluster that has this chart, without a right that the chart did not bring; nothing runs yet."""
    folder = cluster.workspace.folder("chart-config")
    for files in ("crd/*.yaml", "rbac/namespace.yaml", "admission/*deletion.yaml"):
        for path in (chart / "files").glob(files):
            shutil.copy(path, cluster.workspace.folder(f"chart-config/{path.parent.name}"))
    cluster.install_olm(folder)
    world = World(cluster)
    world.components = components_of(world)
    return world


def components_of(world: World) -> Components:
    """The components of the Deployments as they are now: with their flags, and tokens of their accounts."""
    env = {"TMPDIR": str(world.scratch_dir)}
    pair = [
        component(world.cluster, ComponentOptions(env=env, flags=_flags(world.kubectl, name)))
        for component, name in ((catalogd, "catalogd"), (operator_controller, "operator-controller"))
    ]
    return Components(*pair)


def _flags(kubectl: Kubectl, component: str) -> dict[str, str | None]:
    """The flags of a Deployment. The certificates of the machine are left out: the components make their own."""
    deployment = kubectl.get("deployment", f"{component}-controller-manager", SYSTEM_NAMESPACE)
    assert deployment is not None
    (container,) = deployment["spec"]["template"]["spec"]["containers"]
    pairs = (argument.removeprefix("--").split("=", 1) for argument in container["args"])
    given: dict[str, str | None] = {name: value for name, value in pairs if name not in _OF_THIS_PLACE}
    own = ("tls-cert", "tls-key", *(("catalogd-cas-dir",) if component == "operator-controller" else ()))
    return {**dict.fromkeys(own), **given}
