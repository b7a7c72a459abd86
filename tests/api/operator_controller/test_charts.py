"""Helm charts as content, from a real registry to objects on a real API server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from devcluster.cluster import Cluster
from devcluster.images import files_of
from e2e.samples import SAMPLES_DIR
from e2e.world import World, expect
from tests.api.operators import Operator, crd, running_world
from tests.charts import chart_yaml

HOOKS = "extras.olm.operatorframework.io/chart-hooks"
NOTES = "extras.olm.operatorframework.io/notes"
DEPLOYMENT = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: "{{ .Release.Name }}"}
spec:
  selector: {matchLabels: {app: "{{ .Release.Name }}"}}
  template:
    metadata: {labels: {app: "{{ .Release.Name }}"}}
    spec: {containers: [{name: manager, image: "registry.example.com/lamp:{{ .Chart.Version }}"}]}
"""
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-settings"}
data: {level: "{{ .Values.level }}", dice: "{{ randAlphaNum 20 }}"}
"""
KEPT = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: "{{ .Release.Name }}-kept", annotations: {helm.sh/resource-policy: keep}}
data: {version: "{{ .Chart.Version }}"}
"""
HOOK = """\
apiVersion: batch/v1
kind: Job
metadata: {name: migrate, annotations: {helm.sh/hook: pre-upgrade}}
"""
MONITORED = '{{ if .Capabilities.APIVersions.Has "%s/v1" }}\n' + SETTINGS.replace("settings", "monitor") + "{{ end }}"
SCHEMA = json.dumps({"properties": {"level": {"enum": ["low", "high"]}}, "additionalProperties": False})


@pytest.fixture(scope="module")
def world(olm: Cluster) -> Iterator[World]:
    with running_world(olm) as running:
        yield running


@pytest.fixture
def lamp(world: World) -> Iterator[Operator]:
    made = Operator(world).prepare()
    yield made
    made.delete()
    made.forget()


def chart(
    name: str, version: str = "1.0.0", files: Mapping[str, str] | None = None, **members: Any
) -> dict[str, bytes]:
    """A chart with a Deployment and a ConfigMap."""
    texts = {
        "values.yaml": "level: low\n",
        "templates/deployment.yaml": DEPLOYMENT,
        "templates/settings.yaml": SETTINGS,
        "templates/NOTES.txt": "Lamp {{ .Release.Name }} burns {{ .Values.level }}.\n",
        **(files or {}),
    }
    return {
        "Chart.yaml": chart_yaml(name=name, version=version, **members),
        **{path: text.encode() for path, text in texts.items()},
    }


def data(lamp: Operator, name: str = "settings") -> Any:
    found = lamp.kubectl.get("configmap", f"{lamp.name}-{name}", lamp.namespace)
    return None if found is None else found["data"]


def wait_for_data(lamp: Operator, name: str, check: Callable[[Any], bool]) -> None:
    expect(f"other data of {name}", lambda: check(data(lamp, name)), lambda: data(lamp, name))


def test_a_chart_is_installed_with_its_values_and_notes(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name)})
    lamp.install(config={"level": "high"})
    lamp.wait_installed("1.0.0")
    assert data(lamp)["level"] == "high"
    deployment = lamp.kubectl.get("deployment", lamp.name, lamp.namespace)
    assert deployment is not None
    assert deployment["metadata"]["ownerReferences"][0]["kind"] == "ClusterObjectSet"
    (revision,) = lamp.sets()
    assert revision["metadata"]["annotations"][NOTES] == f"Lamp {lamp.name} burns high."


def test_a_chart_is_upgraded_with_its_crds(lamp: Operator) -> None:
    group = f"{lamp.name}.example.com"
    older, newer = crd("lamps", group), crd("lamps", group)
    newer["spec"]["versions"][0]["additionalPrinterColumns"] = [{"name": "A", "type": "string", "jsonPath": ".a"}]
    first = chart(lamp.name, "1.0.0", {"crds/lamps.yaml": json.dumps(older), "templates/gone.yaml": MONITORED % "apps"})
    second = chart(lamp.name, "1.1.0", {"crds/lamps.yaml": json.dumps(newer)})
    lamp.publish({"1.0.0": first, "1.1.0": second})
    lamp.install(version="1.0.0")
    lamp.wait_installed("1.0.0")
    assert data(lamp, "monitor") is not None
    lamp.install(version="1.1.0")
    lamp.wait_installed("1.1.0")
    wait_for_data(lamp, "monitor", lambda found: found is None)
    definition = lamp.kubectl.get("customresourcedefinition", f"lamps.{group}")
    assert definition is not None
    assert definition["spec"]["versions"][0]["additionalPrinterColumns"][0]["name"] == "A"


def test_drift_of_a_chart_is_repaired_with_what_was_rendered_once(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name)})
    lamp.install()
    lamp.wait_installed("1.0.0")
    rendered = data(lamp)
    lamp.kubectl.run("delete", "configmap", f"{lamp.name}-settings", "-n", lamp.namespace)
    wait_for_data(lamp, "settings", lambda found: found == rendered)
    lamp.world.components.operator_controller.restart()
    lamp.wait_installed("1.0.0")
    assert ([item["spec"]["revision"] for item in lamp.sets()], data(lamp)) == ([1], rendered)


def test_other_values_are_another_revision(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name)})
    lamp.install()
    lamp.wait_installed("1.0.0")
    lamp.install(config={"level": "high"})
    wait_for_data(lamp, "settings", lambda found: found["level"] == "high")
    assert [item["spec"]["revision"] for item in lamp.sets()] == [1, 2]


def test_what_a_chart_asks_about_the_cluster_is_answered_anew_when_it_changes(lamp: Operator) -> None:
    group = f"{lamp.name}.example.com"
    lamp.publish({"1.0.0": chart(lamp.name, files={"templates/monitor.yaml": MONITORED % group})})
    lamp.install()
    lamp.wait_installed("1.0.0")
    assert data(lamp, "monitor") is None
    lamp.kubectl.apply(crd("lamps", group))
    wait_for_data(lamp, "monitor", lambda found: found is not None)
    lamp.kubectl.delete("customresourcedefinition", f"lamps.{group}")


def test_bad_values_are_an_invalid_configuration(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name, files={"values.schema.json": SCHEMA})})
    lamp.install(config={"level": "off", "colour": "red"})
    found = lamp.wait("Progressing", status="False", reason="InvalidConfiguration")
    assert found["message"].splitlines()[1:] == [
        '  - field "level": the value is not one of "low" or "high"',
        "  - the values: Additional properties are not allowed ('colour' was unexpected)",
    ]
    lamp.install(config={"level": "high"})
    lamp.wait_installed("1.0.0")


@pytest.mark.parametrize(
    ("members", "files", "message"),
    [
        pytest.param(
            {"version": "2.0.0"}, {}, 'chart version "2.0.0" does not match bundle version "1.0.0"', id="version"
        ),
        pytest.param(
            {"kubeVersion": ">=1.99.0"}, {}, 'needs Kubernetes ">=1.99.0", this cluster has', id="kubeVersion"
        ),
        pytest.param({"type": "library"}, {}, "is a library chart", id="library"),
        pytest.param({"dependencies": [{"name": "oil", "version": "1"}]}, {}, "charts/ folder: oil;", id="dependency"),
        pytest.param({}, {"templates/x.yaml": '{{ fail "no oil" }}'}, "x.yaml:1:3): no oil", id="template"),
    ],
)
def test_a_chart_that_cannot_be_installed_is_blocked(
    lamp: Operator, members: Mapping[str, Any], files: Mapping[str, str], message: str
) -> None:
    description = {"version": "1.0.0", **members}
    lamp.publish({"1.0.0": chart(lamp.name, files=files, **description)})
    lamp.install()
    found = lamp.wait("Progressing", status="False", reason="Blocked")
    assert message in found["message"]
    assert lamp.sets() == []


def test_hooks_block_a_chart_until_they_are_ignored(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name, files={"templates/hook.yaml": HOOK})})
    lamp.install()
    found = lamp.wait("Progressing", status="False", reason="Blocked")
    assert 'has hooks, which are not run: Job "migrate" (pre-upgrade);' in found["message"]
    lamp.kubectl.run("annotate", "clusterextension", lamp.name, f"{HOOKS}=Ignore")
    lamp.wait_installed("1.0.0")
    assert lamp.kubectl.get("job", "migrate", lamp.namespace) is None


def test_what_a_chart_keeps_stays_and_is_taken_back(lamp: Operator) -> None:
    lamp.publish({"1.0.0": chart(lamp.name, files={"templates/kept.yaml": KEPT})})
    lamp.install()
    lamp.wait_installed("1.0.0")
    kept = lamp.kubectl.get("configmap", f"{lamp.name}-kept", lamp.namespace)
    assert kept is not None
    lamp.delete()
    wait_for_data(lamp, "settings", lambda found: found is None)
    left = lamp.kubectl.get("configmap", f"{lamp.name}-kept", lamp.namespace)
    assert left is not None
    assert (left["metadata"]["uid"], "ownerReferences" in left["metadata"]) == (kept["metadata"]["uid"], False)
    lamp.install()
    lamp.wait_installed("1.0.0")


def test_objects_of_a_chart_are_kept_in_several_namespaces(lamp: Operator) -> None:
    elsewhere = f"{lamp.name}-elsewhere"
    lamp.world.cluster.ensure_namespace(elsewhere)
    other = SETTINGS.replace('settings"', f'far", namespace: {elsewhere}')
    lamp.publish({"1.0.0": chart(lamp.name, files={"templates/far.yaml": other})})
    lamp.install()
    lamp.wait_installed("1.0.0")

    def look() -> dict[str, Any] | None:
        return lamp.kubectl.get("configmap", f"{lamp.name}-far", elsewhere)

    first = look()
    assert first is not None
    lamp.kubectl.run("delete", "configmap", f"{lamp.name}-far", "-n", elsewhere)
    expect("the ConfigMap to be back", lambda: (look() or first)["metadata"]["uid"] != first["metadata"]["uid"], look)
    lamp.delete()
    expect("the ConfigMap to be gone", lambda: look() is None, look)
    lamp.kubectl.delete("namespace", elsewhere, wait=False)


def test_the_sample_chart_is_installed_as_its_account(world: World) -> None:
    beacon = Operator(world, "beacon")
    beacon.publish({folder.name: files_of(folder) for folder in sorted((SAMPLES_DIR / "charts" / "beacon").iterdir())})
    world.apply_sample("beacon-installer.yaml", "beacon.yaml")
    beacon.wait_installed("1.0.0")
    assert world.kubectl.get("configmap", "beacon", "beacon-system")["data"] == {"COLOUR": "green"}  # type: ignore[index]
    beacon.delete()
    beacon.forget()
