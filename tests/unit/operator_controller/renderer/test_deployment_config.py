from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.deployment_config import configured

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_TERMS = {_REQUIRED: [{"topologyKey": "t"}]}


def a_manifest(**pod: Any) -> dict[str, Any]:
    template = {"metadata": {"annotations": {"kept": "1"}}, "spec": {"containers": [{"name": "a"}], **pod}}
    return {"metadata": {"name": "op"}, "spec": {"template": template}}


def pod_after(config: Any, **pod: Any) -> Any:
    return configured(a_manifest(**pod), config)["spec"]["template"]["spec"]


def container_after(config: Any, **container: Any) -> Any:
    pod = pod_after(config, containers=[{"name": "a", **container}], initContainers=[{"name": "i"}])
    assert pod["initContainers"] == [{"name": "i"}]
    return pod["containers"][0]


def env(name: str, value: str) -> dict[str, str]:
    return {"name": name, "value": value}


@pytest.mark.parametrize(
    ("existing", "added", "merged"),
    [
        pytest.param([env("A", "1")], [], [env("A", "1")], id="empty list changes nothing"),
        pytest.param([env("A", "1"), env("B", "1")], [env("A", "2")], [env("A", "2"), env("B", "1")], id="in place"),
        pytest.param(
            [env("A", "1"), env("A", "2")], [env("A", "3")], [env("A", "1"), env("A", "3")], id="the last one"
        ),
        pytest.param([], [env("A", "1"), env("A", "2")], [env("A", "1"), env("A", "2")], id="repetitions appended"),
    ],
)
@pytest.mark.parametrize("member", ["env", "volumeMounts"])
def test_configured_merges_by_name_in_every_container(member: str, existing: Any, added: Any, merged: Any) -> None:
    assert container_after({member: added}, **{member: existing}) == {"name": "a", member: merged}


def test_configured_leaves_out_lists_that_stay_empty() -> None:
    config: Any = {"env": [], "envFrom": [], "volumes": [], "volumeMounts": [], "tolerations": [], "annotations": {}}
    assert configured(a_manifest(), config) == a_manifest()


def test_configured_appends_env_sources_that_are_not_there_yet() -> None:
    config_map, secret = {"configMapRef": {"name": "c"}}, {"secretRef": {"name": "s"}}
    container = container_after({"envFrom": [secret, config_map, secret]}, envFrom=[config_map])
    assert container["envFrom"] == [config_map, secret]


def test_configured_replaces_the_last_volume_of_a_name() -> None:
    existing = [{"name": "v", "emptyDir": {}}, {"name": "v"}]
    added = {"name": "v", "secret": {"secretName": "s"}}
    assert pod_after({"volumes": [added]}, volumes=existing)["volumes"] == [existing[0], added]


def test_configured_appends_tolerations_that_are_not_there_yet() -> None:
    one, two = {"key": "a"}, {"key": "b"}
    assert pod_after({"tolerations": [one, two, two]}, tolerations=[one])["tolerations"] == [one, two]


@pytest.mark.parametrize("resources", [{}, {"limits": {"cpu": "1"}}])
def test_configured_replaces_the_resources_of_all_containers(resources: Any) -> None:
    assert container_after({"resources": resources}, resources={"requests": {}})["resources"] == resources


@pytest.mark.parametrize("config", [{"resources": {}}, {"env": [env("A", "1")]}])
def test_configured_keeps_a_pod_without_containers(config: Any) -> None:
    assert pod_after(config, containers=None) == {"containers": None}


@pytest.mark.parametrize(("selector", "merged"), [({"a": "b"}, {"a": "b"}), ({}, None)])
def test_configured_replaces_or_removes_the_node_selector(selector: Any, merged: Any) -> None:
    assert pod_after({"nodeSelector": selector}, nodeSelector={"c": "d"}).get("nodeSelector") == merged


@pytest.mark.parametrize(
    ("affinity", "merged"),
    [
        pytest.param({}, None, id="empty removes all"),
        pytest.param({"podAffinity": _TERMS}, {"podAntiAffinity": _TERMS, "podAffinity": _TERMS}, id="part added"),
        pytest.param({"podAntiAffinity": {}}, None, id="last part removed"),
        pytest.param(
            {"podAntiAffinity": {_PREFERRED: [1]}}, {"podAntiAffinity": {_PREFERRED: [1]}}, id="part replaced"
        ),
        pytest.param(
            {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": []}}}, {"podAntiAffinity": _TERMS}, id="no terms"
        ),
        pytest.param(
            {"nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [1]}}},
            {"podAntiAffinity": _TERMS, "nodeAffinity": {_REQUIRED: {"nodeSelectorTerms": [1]}}},
            id="node terms",
        ),
    ],
)
def test_configured_merges_affinity_by_part(affinity: Any, merged: Any) -> None:
    assert pod_after({"affinity": affinity}, affinity={"podAntiAffinity": _TERMS}).get("affinity") == merged


def test_configured_adds_annotations_to_deployment_and_pods_where_the_key_is_free() -> None:
    rendered = configured(a_manifest(), {"annotations": {"kept": "2", "new": "3"}})
    assert rendered["metadata"] == {"name": "op", "annotations": {"kept": "2", "new": "3"}}
    assert rendered["spec"]["template"]["metadata"]["annotations"] == {"kept": "1", "new": "3"}
