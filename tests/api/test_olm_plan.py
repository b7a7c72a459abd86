"""`olm plan` and `olm approve` against a running OLM: they see what the controller sees, and let it go on."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.waiting import wait_for
from e2e.world import World, condition
from tests.api.operators import PREFIX, Operator, bundle_of, config_map, running_world
from tests.charts import chart_yaml
from tests.helm import helm_path
from tests.olm_command import Said
from tests.olm_command import olm as olm_command

EXTRAS = f"extras.{PREFIX}"
RBAC = "rbac.authorization.k8s.io"


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as made:
        yield made


@pytest.fixture
def operator(world: World) -> Iterator[Operator]:
    """An operator of 1.0.0, installed with upgrade-policy Manual, and 1.1.0, which it wants."""
    made = Operator(world).prepare()
    name = made.name
    old = (config_map(f"{name}-changed", level="low"), config_map(f"{name}-gone"), *rights(name, "get"))
    new = (config_map(f"{name}-changed", level="high"), config_map(f"{name}-new"), *rights(name, "get", "list"))
    made.publish({"1.0.0": bundle_of(name, "1.0.0", *old), "1.1.0": bundle_of(name, "1.1.0", *new)})
    manifest = made.manifest(version="1.0.0")
    manifest["metadata"]["annotations"] = {f"{EXTRAS}/upgrade-policy": "Manual"}
    made.kubectl.apply(manifest)
    made.wait_installed("1.0.0")
    world.ask_for(name, version="1.x")
    yield made
    made.delete()
    made.forget()


def rights(name: str, *verbs: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A ClusterRole to read Secrets, bound to the account of the operator."""
    rule = {"apiGroups": [""], "resources": ["secrets"], "verbs": list(verbs)}
    reader = {"name": f"{name}-reader"}
    subject = {"kind": "ServiceAccount", "name": "default", "namespace": f"{name}-system"}
    return (
        {"apiVersion": f"{RBAC}/v1", "kind": "ClusterRole", "metadata": reader, "rules": [rule]},
        {
            "apiVersion": f"{RBAC}/v1",
            "kind": "ClusterRoleBinding",
            "metadata": reader,
            "roleRef": {"apiGroup": RBAC, "kind": "ClusterRole", **reader},
            "subjects": [subject],
        },
    )


@pytest.fixture(autouse=True)
def helm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(Path(helm_path()).parent), prepend=os.pathsep)


def asked(cluster: Cluster, *arguments: str) -> Said:
    return olm_command(*arguments, "--kubeconfig", str(cluster.kubeconfig))


def planned(cluster: Cluster, *arguments: str) -> Said:
    trust = ("--catalogd-cas-dir", str(cluster.authority_dir), "--pull-cas-dir", str(cluster.authority_dir))
    said = asked(cluster, "plan", *arguments, *trust, "-o", "json")
    assert said.out, said.err
    return said


def waiting(operator: Operator) -> str | None:
    """The plan that the condition names; `None` without one."""
    message = condition(operator.kubectl.get("clusterextension", operator.name), "UpgradePending").get("message", "")
    found = re.fullmatch(r"upgrade from 1\.0\.0 to 1\.1\.0 waits for approval of plan ([0-9a-f]{32})", message)
    return found[1] if found else None


def test_plan_tells_what_waits_and_its_approval_lets_it_go(olm: Cluster, operator: Operator) -> None:
    plan, name = wait_for(lambda: waiting(operator), "the upgrade to wait"), operator.name
    said = planned(olm, name)
    assert (said.code, said.json["state"], said.json["plan"]["hash"]) == (1, "waits for approval", plan), said.err
    assert [(each["change"], each["kind"], each["name"]) for each in said.json["plan"]["objects"]] == [
        ("changed", "ClusterRole", f"{name}-reader"),
        ("changed", "ConfigMap", f"{name}-changed"),
        ("removed", "ConfigMap", f"{name}-gone"),
        ("added", "ConfigMap", f"{name}-new"),
        ("changed", "Deployment", f"{name}-controller"),
    ]
    assert [each["fields"] for each in said.json["plan"]["objects"]][1] == [
        {"path": ".data.level", "old": '"low"', "new": '"high"'}
    ]
    assert [(each["rule"]["verbs"], each["risks"]) for each in said.json["plan"]["rights"]] == [(["list"], ["secrets"])]
    images = [f"registry.example.com/{name}:v{version}" for version in ("1.1.0", "1.0.0")]
    assert said.json["plan"]["images"] == {"added": images[:1], "removed": images[1:]}

    refused = asked(olm, "approve", name, "--plan", "0123456789abcdef0123456789abcdef")
    message = f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {plan}"
    assert (refused.code, refused.err) == (
        1,
        f'error: plan "0123456789abcdef0123456789abcdef" is not what waits, nothing was approved: {message}\n',
    )
    approved = asked(olm, "approve", name, "--plan", plan)
    assert (approved.code, approved.out, approved.err) == (0, f"plan {plan} is approved\n", f"{message}\n")
    operator.wait_installed("1.1.0")
    assert operator.sets()[-1]["metadata"]["annotations"][f"{EXTRAS}/approved"] == plan

    done = planned(olm, name)
    assert (done.code, done.json["state"], done.json["plan"]) == (0, "nothing to do", None)
    again = asked(olm, "approve", name)
    assert (again.code, again.err) == (1, f'error: ClusterExtension "{name}" waits for no approval\n')


def test_plan_tells_of_other_wishes_and_of_what_would_hold_an_approved_upgrade(
    olm: Cluster, operator: Operator
) -> None:
    wait_for(lambda: waiting(operator), "the upgrade to wait")
    said = planned(olm, operator.name, "--version", "1.0.0")
    assert (said.code, said.json["state"]) == (0, "nothing to do")
    nowhere = planned(olm, operator.name, "--version", "3.0.0")
    text = (
        f'error upgrading from currently installed version "1.0.0": no bundles found for package "{operator.name}" '
        'matching version "3.0.0"'
    )
    assert (nowhere.code, nowhere.json["state"], nowhere.json["obstacles"]) == (1, "blocked", [text])
    annotate(operator, "paused", "true")
    paused = planned(olm, operator.name)
    text = f'nothing is applied or repaired while annotation "{EXTRAS}/paused" is "true"'
    assert (paused.code, paused.json["state"], paused.json["obstacles"]) == (1, "waits for approval", [text])
    annotate(operator, "paused", None)


def annotate(operator: Operator, extra: str, value: str | None) -> None:
    patch = {"metadata": {"annotations": {f"{EXTRAS}/{extra}": value}}}
    operator.world.patch("clusterextension", operator.name, patch)


def test_plan_of_a_chart_with_a_random_password_keeps_its_hash(olm: Cluster, world: World) -> None:
    """The controller renders it again at every look, and the command once more: no two renderings are alike."""
    chart = Operator(world).prepare()
    chart.publish({version: a_random_chart(chart.name, version) for version in ("1.0.0", "1.1.0")})
    manifest = chart.manifest(version="1.0.0")
    manifest["metadata"]["annotations"] = {f"{EXTRAS}/upgrade-policy": "Manual"}
    chart.kubectl.apply(manifest)
    chart.wait_installed("1.0.0")
    world.ask_for(chart.name, version="1.x")
    plan = wait_for(lambda: waiting(chart), "the upgrade to wait")
    first, second = planned(olm, chart.name), planned(olm, chart.name)
    assert [each.json["plan"]["hash"] for each in (first, second)] == [plan, plan]
    assert first.json["plan"]["objects"][-1]["fields"] == [{"path": ".data.password", "old": None, "new": None}]
    assert asked(olm, "approve", chart.name, "--plan", plan).code == 0
    chart.wait_installed("1.1.0")
    chart.delete()
    chart.forget()


def a_random_chart(name: str, version: str) -> dict[str, bytes]:
    secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: key}\ndata: {password: "{{ randAlphaNum 9 | b64enc }}"}\n'
    return {"Chart.yaml": chart_yaml(name=name, version=version), "templates/key.yaml": secret.encode()}
