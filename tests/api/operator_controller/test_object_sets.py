"""Revisions on a real API server: what the cluster looks like afterwards, never which calls were made."""

from __future__ import annotations

from devcluster.components import Component
from devcluster.waiting import wait_for
from e2e.world import condition
from tests.api.operator_controller.conftest import Sets

REVISION = "olm.operatorframework.io/revision"


def test_set_applies_its_objects_as_the_account_and_reports_success(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one")], [sets.config_map("two")])
    sets.wait(name, "Available", status="True", message="Objects are available and pass all probes.")
    sets.wait(name, "Succeeded", message="Revision succeeded rolling out.")
    sets.wait(name, "Progressing", message="Revision 1.0.0 has rolled out.")
    metadata = (sets.kubectl.get("configmap", "one", sets.namespace) or {})["metadata"]
    assert metadata["annotations"] == {REVISION: "1"}
    assert metadata["ownerReferences"][0]["name"] == name
    place = f"/namespaces/{sets.namespace}/configmaps/"
    writes = [item for item in sets.cluster.audit.requests() if place in item.uri and item.is_write]
    assert {item.as_user for item in writes} == {f"system:serviceaccount:{sets.namespace}:installer"}


def test_set_names_every_refusal_and_heals_when_rights_are_granted(sets: Sets) -> None:
    name = sets.apply(1, [sets.config_map("one"), sets.config_map("two")], [sets.config_map("three")])
    message = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
    assert message.split("\n") == [
        f"reconciling object: validating v1, Kind=ConfigMap {sets.namespace}/{item}: "
        f'configmaps "{item}" is forbidden: User "system:serviceaccount:{sets.namespace}:installer" cannot patch '
        f'resource "configmaps" in API group "" in the namespace "{sets.namespace}"'
        for item in ("one", "two", "three")
    ]
    sets.grant()
    sets.wait(name, "Progressing", reason="Succeeded", timeout_s=5)


def test_set_repairs_what_is_changed_or_deleted(sets: Sets) -> None:
    sets.grant()
    sets.wait_succeeded(sets.apply(1, [sets.config_map("one", a="b"), sets.config_map("two")]))
    patch = '{"data": {"a": "z", "mine": "too"}}'
    sets.kubectl.run("patch", "configmap", "one", "-n", sets.namespace, "--type=merge", "-p", patch)
    sets.kubectl.delete("configmap", "two", sets.namespace)
    wait_for(lambda: sets.data("one") == {"a": "b", "mine": "too"}, "the changed field to be back", timeout_s=5)
    wait_for(lambda: sets.data("two") == {"a": "b"}, "the deleted object to be back", timeout_s=5)


def test_set_repairs_an_object_whose_label_was_taken_off(sets: Sets) -> None:
    sets.grant()
    sets.wait_succeeded(sets.apply(1, [sets.config_map("one")]))
    label = "olm.operatorframework.io/owner-name"
    sets.kubectl.run("label", "configmap", "one", "-n", sets.namespace, f"{label}-")

    def is_labelled() -> bool:
        return label in (sets.kubectl.get("configmap", "one", sets.namespace) or {})["metadata"].get("labels", {})

    wait_for(is_labelled, "the label to be back", timeout_s=5)


def test_set_leaves_the_object_of_somebody_else_alone(sets: Sets) -> None:
    sets.grant()
    sets.kubectl.apply(sets.config_map("theirs", who="them"))
    name = sets.apply(1, [sets.config_map("theirs", who="us")])
    assert sets.wait(name, "Progressing", reason="Retrying")["message"] == (
        "revision object collisions in phase 0\n"
        f"Object ConfigMap.v1 {sets.namespace}/theirs\n"
        'Action: "Collision"\nProbes:\n- Progress: Succeeded\n'
        'Conflicts:\n- "kubectl"\n  .data.who\n'
        "Comparison:\n- Modified:\n  .data.who\n- Removed:\n"
        f"  .metadata.annotations.{REVISION}\n"
        "  .metadata.labels.app.kubernetes.io/managed-by\n"
        "  .metadata.labels.olm.operatorframework.io/owner-name\n"
        "Conflicting Owner: nil\n"
        "No controller holds the object: a ClusterObjectSet with collisionProtection IfNoController takes it over, "
        "or delete it"
    )
    assert sets.data("theirs") == {"who": "them"}


def test_set_takes_over_what_nobody_controls_when_allowed(sets: Sets) -> None:
    sets.grant()
    sets.kubectl.apply(sets.config_map("theirs", who="them", more="theirs"))
    sets.wait_succeeded(sets.apply(1, [sets.config_map("theirs", who="us")], collisionProtection="IfNoController"))
    assert sets.data("theirs") == {"who": "us", "more": "theirs"}


def test_newer_set_takes_over_and_removes_what_it_no_longer_has(sets: Sets) -> None:
    sets.grant()
    first = sets.apply(1, [sets.config_map("kept", v="1"), sets.config_map("dropped")])
    sets.wait_succeeded(first)
    uid = (sets.kubectl.get("configmap", "kept", sets.namespace) or {})["metadata"]["uid"]
    second = sets.apply(2, [sets.config_map("kept", v="2")])
    sets.wait(first, "Progressing", status="False", reason="Archived", message="revision is archived")
    kept = (sets.kubectl.get("configmap", "kept", sets.namespace) or {})["metadata"]
    assert (kept["uid"], [owner["name"] for owner in kept["ownerReferences"]]) == (uid, [second])
    assert (sets.data("kept"), sets.data("dropped")) == ({"v": "2"}, None)


def test_stuck_set_is_superseded_by_the_next(sets: Sets) -> None:
    sets.grant()
    probe = {
        "selector": {"type": "GroupKind", "groupKind": {"group": "", "kind": "ConfigMap"}},
        "assertions": [{"type": "FieldValue", "fieldValue": {"fieldPath": "data.ready", "value": "yes"}}],
    }
    stuck = sets.apply(1, [sets.config_map("one", ready="no")], progressionProbes=[probe])
    text = f'Object ConfigMap.v1 {sets.namespace}/one: value at key "data.ready" != "yes"; expected: "yes" got: "no"'
    sets.wait(stuck, "Available", reason="ProbeFailure", message=text)
    sets.wait_succeeded(sets.apply(2, [sets.config_map("one", ready="yes")], progressionProbes=[probe]))
    sets.wait(stuck, "Progressing", reason="Archived")
    assert sets.data("one") == {"ready": "yes"}


def test_stuck_set_gains_nothing_from_its_successor(sets: Sets) -> None:
    sets.grant()
    probe = {
        "selector": {"type": "GroupKind", "groupKind": {"group": "", "kind": "ConfigMap"}},
        "assertions": [{"type": "FieldValue", "fieldValue": {"fieldPath": "data.ready", "value": "yes"}}],
    }
    own = sets.config_map("own", ready="yes")
    first = sets.apply(1, [own], progressionProbes=[probe])
    sets.wait_succeeded(first)
    second = sets.apply(2, [sets.config_map("one", ready="no")], progressionProbes=[probe])
    sets.wait(second, "Available", reason="ProbeFailure")
    later = sets.config_map("two", ready="no")
    third = sets.apply(3, [sets.config_map("one", ready="yes")], [later], progressionProbes=[probe])
    sets.wait(third, "Available", reason="ProbeFailure")
    sets.wait(second, "Available", status="True")
    found = sets.kubectl.get("clusterobjectset", second)
    assert (condition(found, "Succeeded"), sets.data("own")) == ({}, {"ready": "yes"})


def test_two_owners_never_overwrite_each_other(sets: Sets) -> None:
    sets.grant()
    objects = [sets.config_map(f"shared-{number}") for number in range(30)]
    mine = sets.apply(1, objects)
    first_owner, sets.owner = sets.owner, f"{sets.owner}-other"
    theirs = sets.apply(1, objects)

    def outcomes() -> list[str] | None:
        reasons = sorted(
            str(condition(sets.kubectl.get("clusterobjectset", name), "Progressing").get("reason"))
            for name in (mine, theirs)
        )
        return reasons if "RollingOut" not in reasons and "None" not in reasons else None

    assert "Succeeded" not in wait_for(outcomes, "both sets to come to an end")[:1]
    sets.clean()
    sets.owner = first_owner


def test_object_without_namespace_is_named_and_holds_up_nothing(sets: Sets) -> None:
    sets.grant()
    lost = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "lost"}}
    name = sets.apply(1, [lost])
    finding = "metadata.namespace: Required value: must not be empty"
    message = sets.wait(name, "Progressing", status="True", reason="Retrying")["message"]
    assert message == f"reconciling object: reconciling v1, Kind=ConfigMap /lost: {finding}"
    sets.kubectl.delete("clusterobjectset", name)


def test_set_whose_account_is_gone_says_so(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one")])
    sets.wait_succeeded(name)
    sets.kubectl.delete("serviceaccount", "installer", sets.namespace)
    sets.kubectl.delete("configmap", "one", sets.namespace)
    text = f'service account "installer" not found in namespace "{sets.namespace}"'
    sets.wait(name, "Progressing", status="True", reason="Retrying", message=text)
    assert sets.data("one") is None


def test_set_without_account_is_refused(sets: Sets) -> None:
    name = sets.apply(1, [sets.config_map("one")], annotations={"a": "b"})
    text = f'revision "{name}" is missing required annotations'
    sets.wait(name, "Progressing", status="False", reason="Blocked", message=text)
    assert sets.data("one") is None


def test_set_with_a_mutable_secret_is_blocked(sets: Sets) -> None:
    sets.grant()
    sets.kubectl.run("create", "secret", "generic", "objects", "-n", sets.namespace, "--from-literal=k={}")
    ref = {"ref": {"name": "objects", "namespace": sets.namespace, "key": "k"}}
    name = sets.apply(1, phases=[{"name": "a", "objects": [ref]}])
    text = (
        "the following secrets are not immutable (referenced secrets must have immutable set to true): "
        f"{sets.namespace}/objects"
    )
    sets.wait(name, "Progressing", status="False", reason="Blocked", message=text)


def test_set_waits_for_a_secret_that_is_missing(sets: Sets) -> None:
    ref = {"ref": {"name": "objects", "namespace": sets.namespace, "key": "k"}}
    name = sets.apply(1, phases=[{"name": "a", "objects": [ref]}])
    text = f'resolving ref in phase "a": getting Secret {sets.namespace}/objects: secrets "objects" not found'
    sets.wait(name, "Progressing", status="True", reason="Retrying", message=text)


def test_deleting_a_set_removes_its_objects_and_nothing_else(sets: Sets) -> None:
    sets.grant()
    sets.kubectl.apply(sets.config_map("mine"))
    name = sets.apply(1, [sets.config_map("one")], [sets.config_map("two")])
    sets.wait_succeeded(name)
    sets.kubectl.delete("clusterobjectset", name)
    assert (sets.data("one"), sets.data("two"), sets.data("mine")) == (None, None, {"a": "b"})


def test_deleting_a_set_is_not_held_up_by_lost_rights(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one")])
    sets.wait_succeeded(name)
    sets.revoke()
    sets.kubectl.delete("serviceaccount", "installer", sets.namespace)
    sets.kubectl.delete("clusterobjectset", name)
    wait_for(lambda: sets.data("one") is None, "garbage collection to finish", timeout_s=20)


def test_deleting_a_set_with_orphan_leaves_its_objects(sets: Sets) -> None:
    sets.grant()
    name = sets.apply(1, [sets.config_map("one")])
    sets.wait_succeeded(name)
    sets.kubectl.run("delete", "clusterobjectset", name, "--cascade=orphan", "--timeout=150s")
    assert sets.data("one") == {"a": "b"}


def test_set_goes_on_after_a_restart_of_the_controller(sets: Sets, controller: Component) -> None:
    sets.grant()
    sets.wait_succeeded(sets.apply(1, [sets.config_map("one")]))
    controller.restart()
    sets.kubectl.delete("configmap", "one", sets.namespace)
    wait_for(lambda: sets.data("one") == {"a": "b"}, "the object to be back", timeout_s=5)
