"""What administrators watch running components with: metrics, alerts, Argo CD's health checks, logs, archives."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from devcluster.cluster import SYSTEM_NAMESPACE, Cluster
from devcluster.components import ComponentOptions, operator_controller
from devcluster.kubectl import Kubectl, find_kubectl
from e2e.world import World, expect
from tests.api.fetching import fetch, metrics_of
from tests.api.operators import Operator, bundle_of, config_map, running_world
from tests.argo import CHECKS, health
from tests.documents import Document
from tests.monitoring import ROOT, SIBLING, alerts, dashboard, documented, selectors
from tests.olm_command import olm as olm_command

PATIENCE_S = 60.0
SECRET = "hunter2-hunter2"


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm, {"leader-elect": "true"}) as made:
        yield made


@pytest.fixture(scope="module")
def operator(world: World) -> Iterator[Operator]:
    """An installed operator with a Secret, and an extension that asks for what there is not."""
    made = Operator(world).prepare()
    name = made.name
    metadata = {"name": f"{name}-login", "namespace": made.namespace}
    login = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "stringData": {"password": SECRET}}
    conf = config_map(f"{name}-conf", mode="fast", database=f"https://till:{SECRET}@db.example/till")
    made.publish({"1.0.0": bundle_of(name, "1.0.0", login, conf)})
    made.install(version="1.0.0")
    made.wait_installed("1.0.0")
    broken = made.manifest(version="9.0.0")
    broken["metadata"]["name"] = f"{name}-broken"
    made.kubectl.apply(broken)
    expect(
        "the broken one to be told so",
        lambda: shown(made, f"{name}-broken")[1].startswith("no bundles found"),
        lambda: shown(made, f"{name}-broken"),
        PATIENCE_S,
    )
    yield made
    made.kubectl.delete("clusterextension", f"{name}-broken")
    made.kubectl.delete("clusterextension", name)
    made.forget()


def shown(operator: Operator, name: str) -> tuple[str, str]:
    """What Argo CD shows of an extension."""
    return health(operator.kubectl.get("clusterextension", name) or {})


def exposed(world: World) -> Mapping[str, Mapping[str, tuple[str, set[frozenset[str]]]]]:
    """Of each component: type and label sets of every family that its page names, by the name of its samples."""
    return {
        "catalogd": families_in(metrics_of(world.cluster, world.components.catalogd)),
        "operator-controller": families_in(metrics_of(world.cluster, world.components.operator_controller)),
    }


def families_in(page: str) -> dict[str, tuple[str, set[frozenset[str]]]]:
    """Type and label sets of every family of a page, by the name of its samples."""
    found: dict[str, tuple[str, set[frozenset[str]]]] = {}
    for family in text_string_to_metric_families(page):
        ending = "_total" if family.type == "counter" else ""
        found[f"{family.name}{ending}"] = (
            family.type,
            {frozenset(sample.labels) - {"le"} for sample in family.samples},
        )
    return found


@pytest.mark.usefixtures("operator")
def test_every_series_is_documented_and_every_documented_one_is_exposed(world: World) -> None:
    rows = [each for each in documented().values() if each.needs in ("", "tls-cert")]
    for component, families in exposed(world).items():
        ours = {name: type_ for name, (type_, _) in families.items() if not name.endswith(SIBLING)}
        assert ours == {each.name: each.type for each in rows if component in each.where}, component
        siblings = {name.removesuffix(SIBLING) for name in families if name.endswith(SIBLING)}
        assert siblings <= {each.name.removesuffix("_total") for each in rows}
        wrong = {
            each.name: families[each.name][1]
            for each in rows
            if component in each.where and not families[each.name][1] <= {each.labels}
        }
        assert wrong == {}, component


def test_a_component_with_its_own_certificate_tells_when_it_ends(world: World, tmp_path: Path) -> None:
    kubectl, secret = world.kubectl, "monitored-serving"
    flags = {
        "tls-cert": None,
        "tls-key": None,
        "own-certificates": secret,
        "own-certificate-names": "127.0.0.1",
        "leader-elect": "true",
    }
    standby = operator_controller(world.cluster, ComponentOptions(instance="monitored-standby", flags=flags))
    standby.start().wait_ready()
    try:
        stored = kubectl.get("secret", secret, SYSTEM_NAMESPACE) or {}
        authority = tmp_path / "ca.crt"
        authority.write_bytes(base64.b64decode(stored["data"]["ca.crt"]))
        families = families_in(metrics_of(world.cluster, standby, authority))
    finally:
        standby.stop()
        kubectl.delete("secret", secret, SYSTEM_NAMESPACE)
    rows = {each.name: each for each in documented().values() if each.needs in ("", "own-certificates")}
    ours = {name: found for name, found in families.items() if not name.endswith(SIBLING)}
    assert ours.keys() <= rows.keys()
    assert {name: rows[name].type for name in ours} == {name: type_ for name, (type_, _) in ours.items()}
    own = next(each for each in rows.values() if each.needs)
    assert ours[own.name] == (own.type, {own.labels})


@pytest.mark.usefixtures("operator")
def test_alerts_and_dashboard_ask_for_what_is_exposed(world: World) -> None:
    expressions = [
        *(rule["expr"] for rule in alerts()),
        *(target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", ())),
    ]
    asked = {selector.name for expression in expressions for selector in selectors(expression)}
    families = {name: type_ for each in exposed(world).values() for name, (type_, _) in each.items()}
    endings = ("_bucket", "_sum", "_count")
    samples = {
        f"{name}{end}" for name, type_ in families.items() for end in (endings if type_ == "histogram" else ("",))
    }
    elsewhere = {each.name for each in documented().values() if each.needs == "own-certificates"}
    assert asked <= samples | elsewhere


def test_an_abnormal_extension_is_what_the_alert_looks_for(world: World, operator: Operator) -> None:
    page = metrics_of(world.cluster, world.components.operator_controller)
    labels = f'name="{operator.name}-broken",namespace="{operator.namespace}",reason="Retrying",version=""'
    assert f"olm_extension_abnormal{{{labels}}} 1.0" in page
    assert f'olm_extension_abnormal{{name="{operator.name}"' not in page


def test_argo_cd_sees_real_objects_as_they_are(operator: Operator) -> None:
    kubectl, name = operator.kubectl, operator.name
    assert shown(operator, f"{name}-broken")[0] == "Progressing"
    for kind, each in (("clusterextension", name), ("clusterobjectset", f"{name}-1"), ("clustercatalog", name)):
        expect(
            f"{kind} {each} to be healthy",
            lambda kind=kind, each=each: health(kubectl.get(kind, each) or {})[0] == "Healthy",  # type: ignore[misc]
            lambda kind=kind, each=each: kubectl.get(kind, each),  # type: ignore[misc]
            PATIENCE_S,
        )


def test_documented_commands_wait_for_what_they_say(world: World, operator: Operator) -> None:
    section = Document("monitoring.md").text.partition("\n## Waiting\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"^```console\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 2
    for block in blocks:
        lines = block.replace("lantern", operator.name).splitlines()
        commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        path = f"{Path(find_kubectl()).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-euc", "\n".join(commands)],
            env={**os.environ, **world.cluster.environment, "PATH": path},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert (done.stdout.splitlines(), done.stderr) == ([line for line in lines if not line.startswith("$ ")], "")


def test_argo_cd_takes_the_patch_as_documented(kubectl: Kubectl, namespace: str) -> None:
    kubectl.run("create", "configmap", "argocd-cm", "-n", namespace, "--from-literal=admin.enabled=true")
    patch = str(ROOT / "config" / "monitoring" / "argocd-health.yaml")
    kubectl.run("patch", "configmap", "argocd-cm", "-n", namespace, "--patch-file", patch)
    data = (kubectl.get("configmap", "argocd-cm", namespace) or {})["data"]
    assert data.keys() == {"admin.enabled", *(f"resource.customizations.health.{each}" for each in CHECKS)}


def test_signals_change_what_a_component_writes_into_its_log(world: World, operator: Operator) -> None:
    catalogd = world.components.catalogd
    url = f"https://{catalogd.flags['catalogs-server-addr']}/catalogs/{operator.name}/api/v1/all"

    def messages(of: int) -> list[str]:
        fetch(url, world.cluster.registry.authority_file)
        return [json.loads(line)["msg"] for line in catalogd.log_text()[of:].splitlines() if line.endswith("}")]

    start = len(catalogd.log_text())
    assert "handled request" not in messages(start)
    catalogd.kill(signal.SIGUSR1)
    expect("requests in the log", lambda: "handled request" in messages(start), catalogd.log_text, PATIENCE_S)
    catalogd.kill(signal.SIGUSR2)
    told = "log level changed"
    expect("the second change", lambda: messages(start).count(told) == 2, catalogd.log_text, PATIENCE_S)
    after = len(catalogd.log_text())
    assert "handled request" not in messages(after)


def test_an_archive_has_everything_but_secrets(world: World, operator: Operator, tmp_path: Path) -> None:
    name, namespace, place = operator.name, operator.namespace, tmp_path / "report.tar.gz"
    said = debug(world, name, "-o", str(place), "--log", str(world.components.operator_controller.log))
    assert said == (0, "", f"{place}: ")
    content = unpacked(place)
    log = f"logs/{world.components.operator_controller.log.name}"
    assert content.keys() >= {
        *("index.json", "status.txt", "extension.json", "catalogs.json", "cluster.json", "events.json"),
        *("resolution.json", "resolution.txt", log, f"revisions/{name}-1.json"),
        *(f"objects/ConfigMap/{namespace}/{name}-conf.json", f"objects/Secret/{namespace}/{name}-login.json"),
    }
    assert json.loads(content["index.json"])["missing"] == []
    assert json.loads(content[f"objects/ConfigMap/{namespace}/{name}-conf.json"])["data"] == {
        "mode": "fast",
        "database": "https://[redacted]@db.example/till",
    }
    assert set(json.loads(content[f"objects/Secret/{namespace}/{name}-login.json"])["data"]) == {"password"}
    assert {event["reason"] for event in json.loads(content["events.json"])} >= {"Installed"}
    assert "revision created" in content[log]
    assert json.loads(content["extension.json"])["metadata"]["name"] == name
    assert [path for path, text in content.items() if SECRET in text or "aHVudGVyMi1odW50ZXIy" in text] == []


def test_an_archive_says_why_nothing_is_installed(world: World, operator: Operator, tmp_path: Path) -> None:
    place = tmp_path / "report.tar.gz"
    assert debug(world, f"{operator.name}-broken", "-o", str(place))[0] == 0
    content = unpacked(place)
    assert "9.0.0" in content["resolution.txt"]
    assert "no bundles found" in content["status.txt"]


def test_an_archive_names_what_its_reader_may_not_see(
    world: World, operator: Operator, tmp_path: Path, namespace: str
) -> None:
    kubectl, place = world.kubectl, tmp_path / "report.tar.gz"
    kubectl.apply(
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "viewer", "namespace": namespace}}
    )
    role = "operator-controller-clusterextension-viewer-role"
    account = f"--serviceaccount={namespace}:viewer"
    kubectl.run("create", "clusterrolebinding", f"{namespace}-viewer", f"--clusterrole={role}", account)
    config = world.cluster.kubeconfig_for(namespace, "viewer")
    code, _, _ = debug(world, operator.name, "-o", str(place), kubeconfig=config)
    kubectl.delete("clusterrolebinding", f"{namespace}-viewer")
    assert code == 0
    content = unpacked(place)
    missing: list[str] = json.loads(content["index.json"])["missing"]
    assert content.keys() >= {"status.txt", "extension.json"}
    assert [each for each in missing if each.startswith(("its revisions: ", "Events of"))]


def test_there_is_no_archive_about_an_extension_that_is_not_there(world: World, tmp_path: Path) -> None:
    place = tmp_path / "report.tar.gz"
    said = olm_command("debug", "nobody", "-o", str(place), "--kubeconfig", str(world.cluster.kubeconfig))
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith('error: the cluster has no ClusterExtension "nobody"')
    assert not place.exists()


def debug(world: World, *arguments: str, kubeconfig: Path | None = None) -> tuple[int, str, str]:
    """Exit code, errors, and the beginning of the answer of `olm debug`."""
    trust = ("--catalogd-cas-dir", str(world.cluster.authority_dir))
    said = olm_command("debug", *arguments, *trust, "--kubeconfig", str(kubeconfig or world.cluster.kubeconfig))
    first = said.out.partition("\n")[0]
    assert first.endswith(" KiB"), said
    return said.code, said.err, first.partition(": ")[0] + ": "


def unpacked(place: Path) -> dict[str, str]:
    """The texts of an archive by their paths below its folder."""
    found: dict[str, str] = {}
    with tarfile.open(place) as archive:
        for member in archive.getmembers():
            opened: Any = archive.extractfile(member)
            found[member.name.partition("/")[2]] = opened.read().decode()
    return found
