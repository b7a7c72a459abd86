from __future__ import annotations

from typing import Any

import pytest

from operator_controller.uninstall import letting_go, taking_off

PREFIX = "olm.operatorframework.io"
OURS = {"kind": "ClusterObjectSet", "name": "lantern-1", "uid": "mine", "controller": True}
THEIRS = {"kind": "ConfigMap", "name": "x", "uid": "theirs"}
MARKS = {
    f"{PREFIX}/owner-kind": "ClusterExtension",
    f"{PREFIX}/owner-name": "lantern",
    "app.kubernetes.io/managed-by": PREFIX,
}


def a_live(*references: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": "x", "uid": "u", "resourceVersion": "7", "ownerReferences": list(references), **metadata}
    }


def a_patch(*references: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"metadata": {"ownerReferences": list(references), "resourceVersion": "7", **more}}


@pytest.mark.parametrize(
    ("live", "patch"),
    [
        pytest.param(a_live(), None, id="nobody's"),
        pytest.param(a_live(THEIRS), None, id="of others"),
        pytest.param(a_live(OURS), a_patch(), id="ours"),
        pytest.param(a_live(THEIRS, OURS), a_patch(THEIRS), id="ours among others"),
    ],
)
def test_reference_is_taken_off(live: dict[str, Any], patch: dict[str, Any] | None) -> None:
    assert taking_off(live, "mine") == patch


@pytest.mark.parametrize(
    ("live", "patch"),
    [
        pytest.param(a_live({**THEIRS, "controller": True}, labels=MARKS), None, id="of others"),
        pytest.param(a_live(THEIRS), None, id="nobody's"),
        pytest.param(
            a_live(labels=MARKS), {"metadata": {"resourceVersion": "7", "labels": dict.fromkeys(MARKS)}}, id="orphaned"
        ),
        pytest.param(a_live(OURS), a_patch(), id="without marks"),
        pytest.param(
            a_live(OURS, labels={**MARKS, "a": "b"}, annotations={f"{PREFIX}/revision": "1", "c": "d"}),
            a_patch(labels=dict.fromkeys(MARKS), annotations={f"{PREFIX}/revision": None}),
            id="marks, and labels of others",
        ),
        pytest.param(a_live(OURS, labels={"app.kubernetes.io/managed-by": "Helm"}), a_patch(), id="mark of another"),
        pytest.param(
            a_live({**THEIRS, "controller": True}, {**OURS, "controller": False}, labels=MARKS),
            a_patch({**THEIRS, "controller": True}),
            id="another is in control",
        ),
    ],
)
def test_object_that_stays_carries_no_mark(live: dict[str, Any], patch: dict[str, Any] | None) -> None:
    assert letting_go(live, "mine") == patch
