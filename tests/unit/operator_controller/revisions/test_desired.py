from __future__ import annotations

from operator_controller.revisions.desired import (
    as_applied,
    as_stored,
    inputs_digest,
    next_number,
    object_set,
    ref_secret,
    superfluous,
)
from operator_controller.revisions.ownership import Owner
from operator_controller.revisions.packing import ObjectRef, Packed
from tests.builders import a_bundle, a_rollout, an_object, an_object_set

PREFIX = "olm.operatorframework.io"


def test_as_stored_keeps_only_identity_labels_and_annotations() -> None:
    metadata = {
        "uid": "u",
        "labels": {"a": "b", f"{PREFIX}/owner-name": "other"},
        "annotations": {"c": "d", "kubectl.kubernetes.io/last-applied-configuration": "{}"},
    }
    assert as_stored(an_object(metadata=metadata, status={"x": 1}, data={"k": "v"}), "lantern", a_bundle()) == {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "data": {"k": "v"},
        "metadata": {
            "name": "thing",
            "namespace": "lantern-system",
            "labels": {"a": "b", f"{PREFIX}/owner-kind": "ClusterExtension", f"{PREFIX}/owner-name": "lantern"},
            "annotations": {"c": "d", f"{PREFIX}/bundle-version": "1.0.0", f"{PREFIX}/package-name": "lantern"},
        },
    }


def test_as_applied_adds_the_marks_of_the_revision() -> None:
    owner = Owner("lantern-3", "uid-3", 3, {})
    applied = as_applied(an_object(), owner, "lantern", [{"uid": "s", "controller": False}])["metadata"]
    assert applied["labels"] == {f"{PREFIX}/owner-name": "lantern", "app.kubernetes.io/managed-by": PREFIX}
    assert applied["annotations"] == {f"{PREFIX}/revision": "3"}
    assert [reference["uid"] for reference in applied["ownerReferences"]] == ["s", "uid-3"]


def test_object_set_refers_to_its_objects() -> None:
    packed = Packed({}, (("configuration", (ObjectRef("s", "k"),)),))
    made = object_set(a_rollout(properties="[]", deadline_min=10), 4, packed, "olmv1-system")
    assert made["metadata"]["name"] == "lantern-4"
    assert made["spec"]["phases"] == [
        {"name": "configuration", "objects": [{"ref": {"namespace": "olmv1-system", "name": "s", "key": "k"}}]}
    ]
    assert (made["spec"]["revision"], made["spec"]["progressDeadlineMinutes"]) == (4, 10)
    assert made["metadata"]["annotations"] == {
        f"{PREFIX}/package-name": "lantern",
        f"{PREFIX}/bundle-name": "lantern.v1.0.0",
        f"{PREFIX}/bundle-version": "1.0.0",
        f"{PREFIX}/bundle-reference": "registry.example.com/lantern:1.0.0",
        f"extras.{PREFIX}/inputs-digest": "sha256:0",
        f"extras.{PREFIX}/catalog": "lights",
        f"{PREFIX}/service-account-namespace": "lantern-system",
        f"{PREFIX}/service-account-name": "installer",
        "olm.properties": "[]",
    }


def test_object_set_without_account_names_none() -> None:
    annotations = object_set(a_rollout(account=None), 1, Packed({}, ()), "ns")["metadata"]["annotations"]
    assert not [key for key in annotations if "service-account" in key]


def test_ref_secret_is_immutable_and_named_after_its_revision() -> None:
    assert ref_secret("lantern-1", "lantern", "lantern-1-ab", {"k": b"\x00\x01"}) == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": "lantern-1-ab",
            "labels": {f"{PREFIX}/revision-name": "lantern-1", f"{PREFIX}/owner-name": "lantern"},
        },
        "type": f"{PREFIX}/object-data",
        "immutable": True,
        "data": {"k": "AAE="},
    }


def test_inputs_digest_ignores_the_image_and_sees_everything_else() -> None:
    base = inputs_digest(a_bundle(), "ns", "sa", None, {})
    assert inputs_digest(a_bundle(image="other"), "ns", "sa", None, {}) == base
    others = [
        inputs_digest(a_bundle("1.0.1"), "ns", "sa", None, {}),
        inputs_digest(a_bundle(), "ns2", "sa", None, {}),
        inputs_digest(a_bundle(), "ns", None, None, {}),
        inputs_digest(a_bundle(), "ns", "sa", {"watchNamespace": "x"}, {}),
        inputs_digest(a_bundle(), "ns", "sa", None, {"apiRoles": True}),
    ]
    assert len({base, *others}) == 6


def test_next_number_counts_from_the_highest() -> None:
    assert (next_number([]), next_number([3, 1])) == (1, 4)


def test_superfluous_names_old_archived_sets_only() -> None:
    sets = [an_object_set(number, state="Archived" if number != 2 else "Active") for number in range(1, 9)]
    assert superfluous(sets) == ("lantern-1",)
    assert superfluous(sets, is_one_to_come=True) == ("lantern-1", "lantern-3")
