from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.ownership import (
    CollisionProtection,
    Owner,
    Verdict,
    decide,
    foreign_owners,
    is_controlled_by,
    owner_reference,
)
from tests.builders import an_object

OWNER = Owner("lantern-2", "uid-2", 2, {"uid-1": 1, "uid-3": 3, "uid-2b": 2})
PREVENT, IF_FREE, NONE = CollisionProtection


def owned_by(uid: str | None, *, is_ours: bool = False) -> dict[str, Any]:
    references = [] if uid is None else [{"uid": uid, "kind": "X", "name": "x", "controller": True}]
    annotations = {"olm.operatorframework.io/revision": "1"} if is_ours else {}
    return an_object(metadata={"uid": "u", "ownerReferences": references, "annotations": annotations})


@pytest.mark.parametrize(
    ("uid", "protection", "verdict"),
    [
        pytest.param("uid-2", PREVENT, Verdict.OURS, id="we are controller"),
        pytest.param("uid-1", PREVENT, Verdict.ADOPT, id="older sibling"),
        pytest.param("uid-3", PREVENT, Verdict.PROGRESSED, id="newer sibling"),
        pytest.param("uid-2b", NONE, Verdict.COLLISION, id="equal sibling"),
        pytest.param("stranger", PREVENT, Verdict.COLLISION, id="stranger, Prevent"),
        pytest.param("stranger", IF_FREE, Verdict.COLLISION, id="stranger, IfNoController"),
        pytest.param("stranger", NONE, Verdict.ADOPT, id="stranger, None"),
        pytest.param(None, PREVENT, Verdict.COLLISION, id="nobody, Prevent"),
        pytest.param(None, IF_FREE, Verdict.ADOPT, id="nobody, IfNoController"),
        pytest.param(None, NONE, Verdict.ADOPT, id="nobody, None"),
    ],
)
def test_decide_follows_the_table(uid: str | None, protection: CollisionProtection, verdict: Verdict) -> None:
    assert decide(owned_by(uid), OWNER, protection) is verdict


@pytest.mark.parametrize(
    ("protection", "verdict"), [(PREVENT, Verdict.COLLISION), (IF_FREE, Verdict.ADOPT), (NONE, Verdict.ADOPT)]
)
def test_decide_takes_an_orphan_over_where_the_policy_allows(protection: CollisionProtection, verdict: Verdict) -> None:
    assert decide(owned_by(None, is_ours=True), OWNER, protection) is verdict


@pytest.mark.parametrize("protection", list(CollisionProtection))
def test_decide_leaves_an_object_that_names_another_revision_alone(protection: CollisionProtection) -> None:
    live = owned_by(None, is_ours=True)
    reference = {"uid": "gone", "kind": "ClusterObjectSet", "name": "torch-1", "controller": False}
    claimed = {**live, "metadata": {**live["metadata"], "ownerReferences": [reference]}}
    assert decide(claimed, OWNER, protection) is Verdict.COLLISION


@pytest.mark.parametrize("uid", ["uid-2", "uid-1"])
def test_decide_takes_back_what_only_names_its_own_family(uid: str) -> None:
    live = owned_by(None, is_ours=True)
    reference = {"uid": uid, "kind": "ClusterObjectSet", "name": "lantern-1", "controller": False}
    freed = {**live, "metadata": {**live["metadata"], "ownerReferences": [reference]}}
    assert decide(freed, OWNER, IF_FREE) is Verdict.ADOPT


@pytest.mark.parametrize(
    ("annotations", "label", "verdict"),
    [
        pytest.param(
            {"helm.sh/resource-policy": "keep"}, "lantern", Verdict.ADOPT, id="kept by an earlier installation"
        ),
        pytest.param({"helm.sh/resource-policy": "keep"}, "torch", Verdict.COLLISION, id="kept by another extension"),
        pytest.param({}, "lantern", Verdict.COLLISION, id="not kept"),
    ],
)
def test_decide_adopts_what_its_extension_has_kept(annotations: dict[str, str], label: str, verdict: Verdict) -> None:
    ours = {"olm.operatorframework.io/revision": "1"}
    labels = {"olm.operatorframework.io/owner-name": label}
    live = an_object(metadata={"uid": "u", "annotations": {**ours, **annotations}, "labels": labels})
    assert decide(live, OWNER, PREVENT) is verdict


def test_foreign_owners_keeps_strangers_without_control() -> None:
    live = an_object(metadata={"ownerReferences": [{"uid": "uid-1", "controller": True}, {"uid": "s", "name": "n"}]})
    assert foreign_owners(live, OWNER) == [{"uid": "s", "name": "n", "controller": False}]


def test_is_controlled_by_needs_the_controller_reference() -> None:
    assert (is_controlled_by(owned_by("uid-2"), "uid-2"), is_controlled_by(owned_by("uid-1"), "uid-2")) == (True, False)
    assert not is_controlled_by(owned_by(None), "uid-2")


def test_owner_reference_asks_for_no_right_on_finalizers() -> None:
    assert owner_reference(OWNER) == {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "name": "lantern-2",
        "uid": "uid-2",
        "controller": True,
        "blockOwnerDeletion": False,
    }
