"""Probes of sets that a person writes: rules in CEL, quoted names, labels; and what of a set may change."""

from __future__ import annotations

import json
from typing import Any

import pytest

from devcluster.waiting import wait_for
from e2e.world import condition
from tests.api.operator_controller.conftest import Sets


def probing(*assertions: dict[str, Any], **selector: Any) -> dict[str, Any]:
    chosen = selector or {"type": "GroupKind", "groupKind": {"group": "", "kind": "ConfigMap"}}
    return {"progressionProbes": [{"selector": chosen, "assertions": list(assertions)}]}


def cel(rule: str, message: str = "it is not enough") -> dict[str, Any]:
    return {"type": "CEL", "cel": {"rule": rule, "message": message}}


def value(path: str, wanted: str) -> dict[str, Any]:
    return {"type": "FieldValue", "fieldValue": {"fieldPath": path, "value": wanted}}


def change(sets: Sets, name: str, spec: dict[str, Any]) -> None:
    sets.kubectl.run("patch", "clusterobjectset", name, "--type=merge", "-p", json.dumps({"spec": spec}))


def test_rule_in_cel_holds_a_rollout_until_the_object_satisfies_it(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one", n="1")], [sets.config_map("two")], **probing(cel("self.data.n > '1'")))
    text = f'Object ConfigMap.v1 {sets.namespace}/one: it is not enough\nThe rollout waits in phase "phase-0" (1 of 2).'
    sets.wait(name, "Available", status="False", reason="ProbeFailure", message=text, timeout_s=60)
    assert sets.data("two") is None
    change(sets, name, probing(cel("self.data.?n.orValue('2') == '1' && self.metadata.name != ''")))
    text = f"Object ConfigMap.v1 {sets.namespace}/one: CEL program failed: "
    wait_for(lambda: text in _message(sets, name), "the failure of the rule to be told", timeout_s=60)
    change(sets, name, probing(cel("!has(self.data.n) || self.data.n == '1'")))
    sets.wait(name, "Succeeded", status="True", timeout_s=60)


def _message(sets: Sets, name: str) -> str:
    return str(condition(sets.kubectl.get("clusterobjectset", name), "Available").get("message"))


def test_probe_reads_names_with_dots_and_dashes(sets: Sets) -> None:
    sets.grant()
    noted = sets.config_map("one", **{"my.key-1": "yes"})
    name = sets.apply(1, [noted], **probing(value('data."my.key-1"', "no")))
    text = (
        f'Object ConfigMap.v1 {sets.namespace}/one: value at key "data."my.key-1"" != "no"; expected: "no" got: "yes"'
    )
    sets.wait(name, "Available", status="False", reason="ProbeFailure", message=text, timeout_s=60)
    labelled = {"type": "Label", "label": {"matchLabels": {"app.kubernetes.io/managed-by": "olm.operatorframework.io"}}}
    change(sets, name, probing(value('data."my.key-1"', "yes"), **labelled))
    sets.wait(name, "Succeeded", status="True", timeout_s=60)


def test_set_without_phases_may_still_be_filled(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1)
    sets.wait(name, "Succeeded", status="True", timeout_s=60)
    change(sets, name, {"phases": [{"name": "late", "objects": [{"object": sets.config_map("one")}]}]})
    wait_for(lambda: sets.data("one") == {"a": "b"}, "the object of the new phase", timeout_s=60)


def test_status_tells_when_each_phase_was_reached(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one")], [sets.config_map("two")])
    sets.wait_succeeded(name)
    status = (sets.kubectl.get("clusterobjectset", name) or {})["status"]
    assert [phase["name"] for phase in status["startedPhases"]] == ["phase-0", "phase-1"]


@pytest.mark.parametrize(
    ("protection", "is_taken"),
    [pytest.param("IfNoController", True, id="free"), pytest.param("Prevent", False, id="no")],
)
def test_orphans_of_another_set_are_taken_over_where_the_set_may(sets: Sets, protection: str, is_taken: bool) -> None:
    sets.grant()
    first = sets.apply(1, [sets.config_map("one", v="1")])
    sets.wait_succeeded(first)
    sets.kubectl.run("delete", "clusterobjectset", first, "--cascade=orphan", "--timeout=150s")
    name = sets.apply(2, [sets.config_map("one", v="2")], collisionProtection=protection)
    if is_taken:
        sets.wait_succeeded(name)
    else:
        message = sets.wait(name, "Progressing", status="True", reason="Retrying", timeout_s=60)["message"]
        assert message.endswith(
            "Conflicting Owner: nil\nNo controller holds the object: a ClusterObjectSet with collisionProtection "
            "IfNoController takes it over, or delete it"
        )
    assert sets.data("one") == {"v": "2" if is_taken else "1"}
    if not is_taken:
        sets.kubectl.delete("configmap", "one", sets.namespace)


def test_object_that_stays_the_same_is_not_read_again_for_its_probes(sets: Sets) -> None:
    sets.grant()
    whole = (cel("self.data.a == 'b'"), value("data.a", "b"))
    name = sets.apply(1, [sets.config_map("one"), sets.config_map("two")], **probing(*whole))
    sets.wait_succeeded(name)
    mark = sets.cluster.audit.position()
    sets.kubectl.delete("configmap", "two", sets.namespace)
    wait_for(lambda: sets.data("two") == {"a": "b"}, "the deleted object to be back", timeout_s=60)
    sets.wait(name, "Available", status="True", timeout_s=60)
    asked = [item for item in sets.cluster.audit.requests(since=mark) if "/configmaps/" in item.uri]
    reads = {item.uri.rpartition("/")[2] for item in asked if item.verb == "get" and "operator-controller" in item.user}
    assert reads == {"two"}
