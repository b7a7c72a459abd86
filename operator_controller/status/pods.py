"""What the pods of an unhealthy workload say of themselves, in sentences that stay the same from look to look.

A crashing container is now waiting, now running, now terminated, and an image is now being pulled, now waited for: each
such circle has one sentence. Nothing counts restarts or tells times.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from olmv1.manifests import Manifest, name_of

__all__ = ["pod_troubles"]

_LISTED = 3
_TEXT_LIMIT = 300
_PULLING = frozenset({"ErrImagePull", "ImagePullBackOff"})
_STARTING = frozenset({"", "ContainerCreating", "PodInitializing"})
_MADE_UP_NAME = re.compile(r'^pods "[^"]*" is ')


def pod_troubles(workload: Manifest, pods: Sequence[Manifest]) -> tuple[str, ...]:
    """At most three sentences and the count of the rest; empty when the pods give no reason. `pods` in any order.

    For example `pod "till-1" container "c": ImagePullBackOff (image "registry.example.com/till:v2")`.
    """
    found = [*_refused(workload)]
    for pod in sorted(pods, key=name_of):
        found += _of_pod(pod)
    rest = len(found) - _LISTED
    return (*found[:_LISTED], *([f"and {rest} more"] if rest > 0 else []))


def _refused(workload: Manifest) -> Iterator[str]:
    """Pods that could not even be made, for which a quota or a policy is the usual reason."""
    for condition in _status(workload).get("conditions") or ():
        if (condition.get("type"), condition.get("status")) == ("ReplicaFailure", "True"):
            yield f"{condition.get('reason')}: {_line(_MADE_UP_NAME.sub('pods are ', str(condition.get('message'))))}"


def _of_pod(pod: Manifest) -> list[str]:
    status, name = _status(pod), name_of(pod)
    if status.get("phase") == "Succeeded":
        return []
    found = [f'pod "{name}" {text}' for text in _of_containers(pod)]
    if found:
        return found
    if status.get("phase") == "Failed":
        return [f'pod "{name}": {_with_message(str(status.get("reason") or "Failed"), status)}']
    return [f'pod "{name}": {text}' for text in _unscheduled(status)]


def _of_containers(pod: Manifest) -> Iterator[str]:
    spec, status = pod.get("spec") or {}, _status(pod)
    for word, specs, statuses in (
        ("init container", "initContainers", "initContainerStatuses"),
        ("container", "containers", "containerStatuses"),
    ):
        images = {str(item.get("name")): str(item.get("image") or "") for item in spec.get(specs) or ()}
        for item in status.get(statuses) or ():
            name = str(item.get("name"))
            if text := _trouble(item, waits_for_ready=word == "container"):
                yield f'{word} "{name}": {text} (image "{_line(images.get(name) or str(item.get("image") or ""))}")'


def _trouble(item: Mapping[str, Any], *, waits_for_ready: bool) -> str:
    state = item.get("state") or {}
    last = (item.get("lastState") or {}).get("terminated")
    if (waiting := state.get("waiting")) is not None:
        return _waiting(waiting, last)
    if (ended := state.get("terminated")) is not None:
        return _crash(ended, has_restarted=last is not None) if ended.get("exitCode") else ""
    if not waits_for_ready or item.get("ready") or state.get("running") is None:
        return ""
    return "is running and not ready" if last is None else _crash(last, has_restarted=True)


def _waiting(waiting: Mapping[str, Any], last: Mapping[str, Any] | None) -> str:
    reason = str(waiting.get("reason") or "")
    if reason in _PULLING:
        return "ImagePullBackOff"
    if reason == "CrashLoopBackOff" or (reason in _STARTING and last is not None):
        return _crash(last or {}, has_restarted=True)
    return "" if reason in _STARTING else _with_message(reason, waiting)


def _crash(ended: Mapping[str, Any], *, has_restarted: bool) -> str:
    if ended.get("reason") == "OOMKilled":
        return "OOMKilled"
    word = "CrashLoopBackOff" if has_restarted else "Error"
    return f"{word} with exit code {ended['exitCode']}" if "exitCode" in ended else word


def _unscheduled(status: Mapping[str, Any]) -> Iterator[str]:
    for condition in status.get("conditions") or ():
        if (condition.get("type"), condition.get("status")) == ("PodScheduled", "False"):
            yield _with_message(str(condition.get("reason")), condition)


def _with_message(reason: str, told: Mapping[str, Any]) -> str:
    message = _line(str(told.get("message") or ""))
    return f"{reason}: {message}" if message else reason


def _status(manifest: Manifest) -> Mapping[str, Any]:
    status: Mapping[str, Any] = manifest.get("status") or {}
    return status


def _line(text: str) -> str:
    """`text` in one line, and short enough to stand among others."""
    joined = " ".join(text.split())
    return joined if len(joined) <= _TEXT_LIMIT else f"{joined[: _TEXT_LIMIT - 1]}…"
