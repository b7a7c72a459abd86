from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.collisions import collision_detail, way_out

OWNER = {
    "kind": "ClusterObjectSet",
    "name": "other-1",
    "uid": "u-1",
    "apiVersion": "olm.operatorframework.io/v1",
    "controller": True,
    "blockOwnerDeletion": True,
}
REFERENCE = (
    "Conflicting Owner: &OwnerReference{Kind:ClusterObjectSet,Name:other-1,UID:u-1,"
    "APIVersion:olm.operatorframework.io/v1,Controller:*true,BlockOwnerDeletion:*true,}"
)
LABEL = "olm.operatorframework.io/owner-name"


def entry(manager: str, fields: dict[str, Any], **more: str) -> dict[str, Any]:
    return {"manager": manager, "operation": "Apply", "fieldsV1": fields, **more}


def live(*managed: dict[str, Any], owners: tuple[dict[str, Any], ...] = (), **content: Any) -> dict[str, Any]:
    metadata = {"labels": {LABEL: "other"}, "managedFields": list(managed), "ownerReferences": list(owners)}
    return {"apiVersion": "v1", "kind": "Thing", "metadata": metadata, **content}


def wanted(**content: Any) -> dict[str, Any]:
    return {"apiVersion": "v1", "kind": "Thing", "metadata": {"name": "x", "labels": {LABEL: "mine"}}, **content}


def test_collision_detail_prints_the_sections_of_the_reference() -> None:
    fields = {"f:metadata": {"f:labels": {".": {}, f"f:{LABEL}": {}}}, "f:spec": {"f:size": {}}}
    found = live(entry("olm.operatorframework.io", fields), owners=(OWNER,), spec={"size": 1})
    assert collision_detail(found, wanted(spec={"size": 1})) == (
        f'Conflicts:\n- "olm.operatorframework.io"\n  .metadata.labels.{LABEL}\n'
        f"Comparison:\n- Modified:\n  .metadata.labels.{LABEL}\n{REFERENCE}"
    )


def test_collision_detail_tells_items_missing_fields_and_other_managers() -> None:
    ports: dict[str, Any] = {
        'k:{"port":80,"protocol":"TCP"}': {".": {}, "f:name": {}},
        'k:{"port":9,"protocol":"TCP"}': {"f:name": {}},
    }
    found = live(
        entry("kubectl", {"f:spec": {"f:ports": ports, "f:only": {}}}),
        entry("else", {"f:spec": {"f:size": {}, "f:names": {'v:"a"': {}}}}),
        entry("status", {"f:spec": {"f:size": {}}}, subresource="status"),
        spec={"size": 1, "ports": [{"port": 80, "protocol": "TCP", "name": "a"}], "only": 1, "names": ["a"]},
    )
    mine = [{"port": 80, "protocol": "TCP", "name": "b"}]
    desired = {"metadata": {"labels": {LABEL: "other"}}, "spec": {"size": 1, "ports": mine, "more": {}, "names": []}}
    assert collision_detail(found, desired) == (
        'Conflicts:\n- "kubectl"\n  .spec.ports[port=80,protocol="TCP"].name\n'
        "Comparison:\n- Modified:\n"
        '  .spec.ports[port=80,protocol="TCP"].name\n- Removed:\n  .spec.more\n'
        'Other:\n- "else"\nConflicting Owner: nil'
    )


def test_collision_detail_is_bounded() -> None:
    data = {f"k{number:02}": "a" for number in range(23)}
    lines = collision_detail(live(data={}), {"data": data}).splitlines()
    assert (len(lines), lines[-2]) == (24, "  and 3 more fields")


@pytest.mark.parametrize(
    ("extension", "text"),
    [
        (
            "lantern",
            "No controller holds the object: to let the extension take it over, run: "
            "kubectl annotate clusterextension lantern extras.olm.operatorframework.io/adopt=IfUnowned",
        ),
        (
            None,
            "No controller holds the object: a ClusterObjectSet with collisionProtection IfNoController takes it "
            "over, or delete it",
        ),
    ],
)
def test_way_out_tells_the_command(extension: str | None, text: str) -> None:
    assert way_out(extension) == text
