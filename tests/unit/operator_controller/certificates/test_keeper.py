from __future__ import annotations

from typing import Any

from operator_controller.certificates import Keeper, keeper_of
from tests.builders import an_object_set

OLM = "olm.operatorframework.io"
LABELS = {
    f"{OLM}/owner-name": "lantern",
    f"{OLM}/owner-kind": "ClusterExtension",
    "app.kubernetes.io/managed-by": OLM,
}


def reference(uid: str = "uid-ext", kind: str = "ClusterExtension", **more: Any) -> dict[str, Any]:
    return {"apiVersion": f"{OLM}/v1", "kind": kind, "name": "lantern", "uid": uid, "controller": True, **more}


def a_revision(**metadata: Any) -> dict[str, Any]:
    made = an_object_set()
    return {**made, "metadata": {**made["metadata"], **metadata}}


def a_secret(*owners: dict[str, Any], labels: dict[str, str] | None = None) -> dict[str, Any]:
    return {"metadata": {"labels": LABELS if labels is None else labels, "ownerReferences": list(owners)}}


OURS = Keeper("lantern-certificates", "lantern", LABELS, reference())


def test_keeper_of_a_revision_is_that_of_its_extension() -> None:
    assert keeper_of(a_revision(ownerReferences=[reference()])) == OURS


def test_keeper_of_a_revision_that_was_let_go_of_has_no_owner() -> None:
    labels = {f"{OLM}/owner-kind": "ClusterExtension", f"{OLM}/owner-name": "lantern"}
    assert keeper_of(a_revision(labels=labels)) == Keeper("lantern-certificates", "lantern", LABELS, None)


def test_keeper_of_hand_made_sets_is_that_of_their_family() -> None:
    first, second = keeper_of(a_revision()), keeper_of(a_revision(name="other", uid="uid-2"))
    assert (first.secret, first.title) == ("set-c5220b3c4266890f-certificates", "set-c5220b3c4266890f")
    assert second.secret == first.secret
    assert first.owner == reference("uid-1", "ClusterObjectSet", name="lantern-1", controller=False) | {
        "blockOwnerDeletion": False
    }
    assert keeper_of(a_revision(labels={})).secret != first.secret


def test_is_in_order_wants_labels_and_owner() -> None:
    assert OURS.is_in_order(a_secret(reference()))
    assert not OURS.is_in_order(a_secret(reference("another")))
    assert not OURS.is_in_order(a_secret(reference(), labels={}))
    assert Keeper("s", "t", LABELS, None).is_in_order(a_secret())


def test_owners_replaces_an_extension_that_was_there_before() -> None:
    other = {"kind": "ConfigMap", "uid": "x"}
    assert OURS.owners(a_secret(reference("before"), other)) == [other, reference()]
    assert OURS.owners({}) == [reference()]
    assert Keeper("s", "t", LABELS, None).owners(a_secret(other)) == [other]
