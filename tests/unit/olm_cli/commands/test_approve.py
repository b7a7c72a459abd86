from __future__ import annotations

from typing import Any

import pytest

from tests.answering_server import AnsweringServer, Reply, a_status
from tests.builders import a_condition, an_extension
from tests.olm_command import Said, olm

PATH = "/apis/olm.operatorframework.io/v1/clusterextensions/lantern"
PAUSED = "extras.olm.operatorframework.io/paused"
APPROVE = "extras.olm.operatorframework.io/approve"
PLAN = "0123456789abcdef0123456789abcdef"
MESSAGE = f"upgrade from 1.0.0 to 1.1.0 waits for approval of plan {PLAN}"


def approved(kubeconfig: str, *options: str) -> Said:
    return olm("approve", "lantern", "--kubeconfig", kubeconfig, *options)


def an_extension_that_waits(**annotations: str) -> dict[str, Any]:
    made = an_extension()
    made["metadata"]["annotations"] = annotations
    return {**made, "status": {"conditions": [a_condition("UpgradePending", message=MESSAGE)]}}


def test_approve_says_when_the_plan_was_approved_before(server: AnsweringServer, kubeconfig: str) -> None:
    server.replies[PATH] = Reply(an_extension_that_waits(**{APPROVE: PLAN}))
    assert approved(kubeconfig, "--plan", PLAN) == Said(0, f"plan {PLAN} was approved already\n", f"{MESSAGE}\n")
    assert approved(kubeconfig, "-o", "json").json == {
        "extension": "lantern",
        "plan": PLAN,
        "message": MESSAGE,
        "isNew": False,
    }


@pytest.mark.parametrize(
    ("reply", "options", "code", "text"),
    [
        pytest.param(
            Reply(an_extension()), [], 1, 'ClusterExtension "lantern" waits for no approval', id="nothing waits"
        ),
        pytest.param(
            Reply(an_extension() | {"metadata": {"name": "lantern", "annotations": {PAUSED: "true"}}}),
            [],
            1,
            'ClusterExtension "lantern" waits for no approval: it is paused',
            id="paused",
        ),
        pytest.param(
            Reply(an_extension() | {"metadata": {"name": "lantern", "deletionTimestamp": "2026-01-01T00:00:00Z"}}),
            [],
            1,
            'ClusterExtension "lantern" waits for no approval: it is being deleted',
            id="going",
        ),
        pytest.param(
            Reply(an_extension_that_waits()),
            ["--plan", "fedcba9876543210fedcba9876543210"],
            1,
            f'plan "fedcba9876543210fedcba9876543210" is not what waits, nothing was approved: {MESSAGE}',
            id="another plan waits",
        ),
        pytest.param(
            a_status(404, "NotFound", "x"), [], 1, 'the cluster has no ClusterExtension "lantern"', id="no extension"
        ),
        pytest.param(
            a_status(403, "Forbidden", "you may not"),
            [],
            3,
            'cannot get ClusterExtension "lantern": you may not; '
            "ask for the ClusterRole operator-controller-clusterextension-viewer-role",
            id="no right to look",
        ),
    ],
)
def test_approve_refuses(  # noqa: PLR0917
    server: AnsweringServer, kubeconfig: str, reply: Reply, options: list[str], code: int, text: str
) -> None:
    server.replies[PATH] = reply
    assert approved(kubeconfig, *options) == Said(code, "", f"error: {text}\n")
    assert server.asked == [PATH]
