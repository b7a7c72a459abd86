from __future__ import annotations

from typing import Any

import pytest

from operator_controller.status.pods import pod_troubles

IMAGE = "registry.example.com/till:v2"
CRASHED = {"terminated": {"exitCode": 3, "reason": "Error"}}
KILLED = {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}


def a_pod(name: str = "till-1", *containers: dict[str, Any], **status: Any) -> dict[str, Any]:
    named = [{"name": "c", **container} for container in containers]
    spec = {"containers": [{"name": "c", "image": IMAGE}], "initContainers": [{"name": "c", "image": "init:v1"}]}
    return {"metadata": {"name": name}, "spec": spec, "status": {"containerStatuses": named, **status}}


def waiting(reason: str, message: str = "", **more: Any) -> dict[str, Any]:
    return {"state": {"waiting": {"reason": reason, "message": message}}, **more}


CONTAINER = f'pod "till-1" container "c": {{}} (image "{IMAGE}")'


@pytest.mark.parametrize(
    ("container", "text"),
    [
        pytest.param(waiting("ImagePullBackOff"), "ImagePullBackOff", id="image waited for"),
        pytest.param(waiting("ErrImagePull", "not found"), "ImagePullBackOff", id="image being pulled"),
        pytest.param(waiting("CrashLoopBackOff", lastState=CRASHED), "CrashLoopBackOff with exit code 3", id="crash"),
        pytest.param(waiting("ContainerCreating", lastState=CRASHED), "CrashLoopBackOff with exit code 3", id="again"),
        pytest.param(
            {"state": {"running": {}}, "ready": False, "lastState": CRASHED},
            "CrashLoopBackOff with exit code 3",
            id="running between two crashes",
        ),
        pytest.param({"state": CRASHED, "lastState": CRASHED}, "CrashLoopBackOff with exit code 3", id="just crashed"),
        pytest.param({"state": CRASHED}, "Error with exit code 3", id="first end"),
        pytest.param(waiting("CrashLoopBackOff"), "CrashLoopBackOff", id="crash without a past"),
        pytest.param(waiting("CrashLoopBackOff", lastState=KILLED), "OOMKilled", id="out of memory"),
        pytest.param(
            waiting("CreateContainerConfigError", 'secret "till"\n not found'),
            'CreateContainerConfigError: secret "till" not found',
            id="other reason",
        ),
        pytest.param({"state": {"running": {}}, "ready": False}, "is running and not ready", id="not ready"),
    ],
)
def test_pod_troubles_says_what_is_wrong_with_a_container(container: dict[str, Any], text: str) -> None:
    assert pod_troubles({}, [a_pod("till-1", container)]) == (CONTAINER.format(text),)


@pytest.mark.parametrize(
    "pod",
    [
        pytest.param(a_pod("p", waiting("ContainerCreating")), id="starting"),
        pytest.param(a_pod("p", {"state": {"running": {}}, "ready": True, "lastState": CRASHED}), id="recovered"),
        pytest.param(a_pod("p", {"state": {"terminated": {"exitCode": 0}}}), id="done"),
        pytest.param(a_pod("p", {"state": CRASHED}, phase="Succeeded"), id="succeeded"),
        pytest.param(a_pod("p", initContainerStatuses=[{"name": "c", "state": {"running": {}}}]), id="initialising"),
        pytest.param({"metadata": {"name": "p"}}, id="new"),
    ],
)
def test_pod_troubles_is_silent_about_pods_that_give_no_reason(pod: dict[str, Any]) -> None:
    assert pod_troubles({}, [pod]) == ()


def test_pod_troubles_names_init_containers() -> None:
    pod = a_pod("p", initContainerStatuses=[{"name": "c", **waiting("ErrImagePull")}])
    assert pod_troubles({}, [pod]) == ('pod "p" init container "c": ImagePullBackOff (image "init:v1")',)


def test_pod_troubles_names_the_reason_of_the_pod_itself() -> None:
    unscheduled = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "0/1 nodes fit"}
    pods = [
        a_pod("b", phase="Failed", reason="Evicted", message="disk is full"),
        a_pod("a", phase="Pending", conditions=[{"type": "Ready", "status": "False"}, unscheduled]),
        a_pod("c", phase="Failed"),
    ]
    assert pod_troubles({}, pods) == (
        'pod "a": Unschedulable: 0/1 nodes fit',
        'pod "b": Evicted: disk is full',
        'pod "c": Failed',
    )


def test_pod_troubles_names_three_and_counts_the_rest() -> None:
    pods = [a_pod(f"p{number}", waiting("ErrImagePull")) for number in range(5)]
    assert pod_troubles({}, pods)[2:] == (f'pod "p2" container "c": ImagePullBackOff (image "{IMAGE}")', "and 2 more")


def test_pod_troubles_tells_why_no_pod_can_be_made() -> None:
    message = 'pods "till-5f7b-x2x" is forbidden: exceeded quota'
    failure = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate", "message": message}
    workload = {"status": {"conditions": [{"type": "Available", "status": "False"}, failure]}}
    assert pod_troubles(workload, []) == ("FailedCreate: pods are forbidden: exceeded quota",)


def test_pod_troubles_cuts_long_messages() -> None:
    (text,) = pod_troubles({}, [a_pod("p", phase="Failed", reason="Odd", message="x" * 1000)])
    assert text == f'pod "p": Odd: {"x" * 299}…'
