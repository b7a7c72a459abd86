from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from olmv1.yaml import load_all
from tests.bundles import a_crd, a_csv, bundle_files, write_bundle
from tests.charts import chart_files
from tests.helm import helm_path
from tests.oci_images import a_layer, an_image
from tests.olm_command import Said, a_blob, olm, write_catalog
from tests.registry import running_registry
from tests.registry_tls import Authority

PERMISSIONS = [{"serviceAccountName": "op", "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}]


def files(name: str = "op", **others: Any) -> dict[str, bytes]:
    """A bundle with an API whose operator may get pods everywhere."""
    owned = {"owned": [{"name": "things.example.com", "kind": "Thing", "version": "v1"}]}
    csv = a_csv(customresourcedefinitions=owned)
    csv["metadata"]["name"] = f"{name}.v1.0.0"
    csv["spec"]["install"]["spec"]["clusterPermissions"] = PERMISSIONS
    return bundle_files(csv, crd=a_crd(), **others)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return write_bundle(tmp_path / "bundle", files())


def rules(said: Said, kind: str = "ClusterRole") -> list[Any]:
    [role] = [item for item in said.json["items"] if item["kind"] == kind]
    found: list[Any] = role["rules"]
    return found


def test_rbac_writes_the_account_as_yaml_with_reasons(folder: str) -> None:
    said = olm("rbac", folder, "-n", "shop", "--service-account", "robot")
    _, _, role, *_ = said.out.split("---\n")[1:]
    head, _, text = role.partition("rules:\n")
    [name] = [line.strip() for line in text.splitlines() if "op.v1.0.0-" in line][:1]
    generated = name.removeprefix("resourceNames: [").removesuffix("]")
    assert (said.code, said.err) == (0, "")
    assert head == (
        "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: op-installer\n  labels:\n"
        "    olm.operatorframework.io/installer-for: op\n"
    )
    assert text == (
        "# granted to op\n"
        '- apiGroups: [""]\n  resources: [pods]\n  verbs: [get]\n'
        "- apiGroups: [apiextensions.k8s.io]\n  resources: [customresourcedefinitions]\n"
        "  resourceNames: [things.example.com]\n  verbs: [create, delete, patch]\n"
        "- apiGroups: [rbac.authorization.k8s.io]\n  resources: [clusterrolebindings, clusterroles]\n"
        f"  resourceNames: [{generated}]\n  verbs: [create, delete, patch]\n"
    )


def test_rbac_says_the_same_in_every_form(folder: str) -> None:
    asked = ("rbac", folder, "-n", "shop", "--service-account", "robot")
    texts = [list(load_all(olm(*asked, "-o", form).out.encode(), name="out")) for form in ("text", "yaml")]
    listed = olm(*asked, "-o", "json").json
    assert texts == [listed["items"]] * 2
    kinds = ["Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"]
    assert (listed["kind"], [item["kind"] for item in listed["items"]]) == ("List", kinds)
    assert listed["items"][3]["subjects"] == [{"kind": "ServiceAccount", "name": "robot", "namespace": "shop"}]


def test_rbac_names_everything_after_the_extension(folder: str) -> None:
    items = olm("rbac", folder, "--extension", "mine", "-o", "json").json["items"]
    assert [(item["metadata"]["name"], item["metadata"].get("namespace")) for item in items] == [
        ("mine-system", None),
        ("mine-installer", "mine-system"),
        ("mine-installer", None),
        ("mine-installer", None),
        ("mine-installer", "mine-system"),
        ("mine-installer", "mine-system"),
    ]


def test_rbac_escalates_on_the_exact_roles(folder: str) -> None:
    said = olm("rbac", folder, "--grants", "escalate", "-o", "json")
    assert [(rule["resources"], rule["verbs"], len(rule["resourceNames"])) for rule in rules(said)] == [
        (["customresourcedefinitions"], ["create", "delete", "patch"], 1),
        (["clusterrolebindings", "clusterroles"], ["create", "delete", "patch"], 1),
        (["clusterroles"], ["bind", "escalate"], 1),
    ]
    assert "# instead of holding the rules of these roles\n" in olm("rbac", folder, "--grants", "escalate").out


def test_rbac_warns_of_what_it_cannot_know(tmp_path: Path) -> None:
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "extra"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
    }
    said = olm("rbac", write_bundle(tmp_path, files(extra=binding)), "-o", "json")
    warning = "RoleBinding extra refers to ClusterRole view, whose rules are not known: the account gets bind on it"
    assert (said.code, said.err) == (0, f"warning: {warning}\n")


def test_rbac_writes_for_the_namespace_that_is_watched(folder: str) -> None:
    said = olm("rbac", folder, "--watch-namespace", "team-a", "-o", "json")
    places = [item["metadata"].get("namespace") for item in said.json["items"] if item["kind"] == "Role"]
    assert (said.code, places) == (0, ["op-system"])


def test_rbac_writes_the_roles_for_users(folder: str) -> None:
    items = olm("rbac", folder, "--for-users", "-o", "json").json["items"]
    names = [f"things.example.com-v1-{sort}" for sort in ("admin", "edit", "view", "crdview")]
    assert [(item["kind"], item["metadata"]["name"]) for item in items] == [("ClusterRole", name) for name in names]


def test_rbac_of_a_chart_is_that_of_its_objects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(helm_path()).parent}{os.pathsep}{os.environ['PATH']}")
    chart = {path.removeprefix("lantern/"): data for path, data in chart_files().items()}
    said = olm("rbac", write_bundle(tmp_path / "lantern", chart), "-o", "json")
    [rule] = rules(said, "Role")
    assert (said.code, rule["resources"], rule["verbs"]) == (0, ["configmaps"], ["create", "delete", "patch"])


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ([], "which package or bundle? name it: olm rbac PACKAGE|BUNDLE"),
        (["x", "--diff", "--apply"], "--diff and --apply are two tasks: choose one"),
        (["x", "--surplus"], "--surplus is told with --diff"),
        (["x", "-n", "No"], "--namespace No: expected a name such as my-operator"),
        (["./x", "--upgrades"], "--upgrades is for a package of the catalogs, and ./x is a bundle"),
        (["./x", "--version", "1"], "--version is for a package of the catalogs, and ./x is a bundle"),
    ],
)
def test_rbac_refuses_what_makes_no_sense(arguments: list[str], error: str) -> None:
    assert olm("rbac", *arguments) == Said(2, "", f"error: {error}\n")


def test_rbac_tells_a_wrong_configuration_from_a_broken_bundle(tmp_path: Path, folder: str) -> None:
    config = tmp_path / "config.yaml"
    config.write_text("watchNamespace: [1]\n")
    assert olm("rbac", folder, "--config", str(config)).code == 2
    broken = write_bundle(tmp_path / "broken", {**files(), "metadata/annotations.yaml": b"annotations: {}\n"})
    assert olm("rbac", broken).code == 3


@asynccontextmanager
async def catalog(tmp_path: Path, *versions: str) -> AsyncIterator[list[str]]:
    """The options for a catalog with these versions of package `op`, each with a ConfigMap of its own."""
    authority = Authority.create(tmp_path)
    async with running_registry(authority.server_context()) as registry:
        entries = [{"name": f"op.v{each}"} for each in versions]
        for before, entry in pairwise(entries):
            entry["replaces"] = before["name"]
        blobs = [
            a_blob("olm.package", "op", defaultChannel="stable"),
            a_blob("olm.channel", "stable", "op", entries=entries),
        ]
        for each in versions:
            own = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"only-{each}"}}
            registry.push("op", f"v{each}", an_image([a_layer(files(own=own))]))
            blobs.append(a_blob("olm.bundle", f"op.v{each}", "op", image=f"{registry.host}/op:v{each}"))
        place = write_catalog(tmp_path / "catalog", *blobs)
        yield ["--catalog", place, "--pull-cas-dir", str(tmp_path), "-o", "json"]


def config_maps(said: Said) -> list[str]:
    return [name for rule in rules(said, "Role") if "configmaps" in rule["resources"] for name in rule["resourceNames"]]


async def test_rbac_takes_a_package_from_the_catalogs(tmp_path: Path) -> None:
    async with catalog(tmp_path, "1.0.0", "1.1.0", "2.0.0") as options:
        newest = await asyncio.to_thread(olm, "rbac", "op", *options)
        ranged = await asyncio.to_thread(olm, "rbac", "op", "--version", "1.x", *options)
        none = await asyncio.to_thread(olm, "rbac", "op", "--version", "9", *options)
    assert (config_maps(newest), config_maps(ranged)) == (["only-2.0.0"], ["only-1.1.0"])
    assert (none.code, none.out) == (1, "")


async def test_rbac_of_upgrades_has_every_version_within_reach(tmp_path: Path) -> None:
    async with catalog(tmp_path, "1.0.0", "1.1.0", "2.0.0") as options:
        asked = ("rbac", "op", "--upgrades", *options)
        step = await asyncio.to_thread(olm, *asked, "--installed", "1.1.0")
        ranged = await asyncio.to_thread(olm, *asked, "--version", "1.x")
        text = await asyncio.to_thread(olm, *asked[:-1], "text", "--version", "1.x")
    assert (config_maps(step), config_maps(ranged)) == (["only-1.1.0", "only-2.0.0"], ["only-1.0.0", "only-1.1.0"])
    assert "# only for 1.1.0\n" in text.out
    assert "# granted to op\n" in text.out


def test_rbac_needs_no_cluster_for_a_bundle(folder: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    assert olm("rbac", folder).code == 0
    asked = olm("rbac", folder, "--diff")
    assert (asked.code, asked.out, "--kubeconfig FILE" in asked.err) == (2, "", True)


async def test_rbac_of_upgrades_says_when_the_installed_bundle_cannot_be_read(tmp_path: Path) -> None:
    async with catalog(tmp_path, "1.0.0") as options:
        freed = ("--installed", "0.9.0", "--policy", "SelfCertified")
        said = await asyncio.to_thread(olm, "rbac", "op", "--upgrades", *freed, *options)
    warning = 'bundle "op.v0.9.0" is in no catalog any more: rights to remove what only it has are left out'
    assert (said.code, said.err.splitlines()[0], config_maps(said)) == (0, f"warning: {warning}", ["only-1.0.0"])
