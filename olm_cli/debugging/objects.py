"""The objects of active revisions as they are on the cluster, and the pods of their workloads."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping

from olm_cli.debugging.collection import Collection
from olmv1.api.names import DEFAULT_SYSTEM_NAMESPACE
from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import PODS
from olmv1.manifests import Manifest, ObjectKey, name_of
from operator_controller.rollout.content import Contents

__all__ = ["add_objects"]

_OBJECTS = 500
_PODS = 50
_AT_ONCE = 16
_WORKLOADS = ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job")


async def add_objects(client: KubeClient, revisions: Iterable[Manifest], made: Collection) -> set[ObjectKey]:
    """Add every object of the active ones among `revisions`; the identities of what they consist of."""
    keys: set[ObjectKey] = set()
    contents = Contents(client, DEFAULT_SYSTEM_NAMESPACE)
    for revision in revisions:
        if (revision.get("spec") or {}).get("lifecycleState") == "Archived":
            continue
        try:
            keys |= {each.key for each in (await contents.plan(revision)).objects}
        except OlmError as error:
            made.miss(f"objects of ClusterObjectSet {name_of(revision)}: {error}")
    if len(keys) > _OBJECTS:
        made.miss(f"objects: only the first {_OBJECTS} of {len(keys)} are here")
    wanted, discovery, taken = sorted(keys)[:_OBJECTS], Discovery(client), 0
    for start in range(0, len(wanted), _AT_ONCE):
        batch = wanted[start : start + _AT_ONCE]
        async with asyncio.TaskGroup() as group:
            reading = [group.create_task(_read(client, discovery, key)) for key in batch]
        for key, task in zip(batch, reading, strict=True):
            found = task.result()
            if isinstance(found, str):
                made.miss(f"{key}: {found}")
                continue
            kind = f"{key.kind}.{key.group}" if key.group else key.kind
            made.add_json("objects", kind, *([key.namespace] if key.namespace else []), key.name, value=found)
            if taken < _PODS:
                taken += await _add_pods(client, key.namespace, found, _PODS - taken, made)
    return keys


async def _read(client: KubeClient, discovery: Discovery, key: ObjectKey) -> Manifest | str:
    """The object as it is now, or why it is not there to see."""
    try:
        resource = await discovery.resource_for(key.api_version, key.kind)
        return await client.get(resource, key.name, key.namespace or None)
    except NotFound:
        return "it is not on the cluster"
    except (OlmError, ValueError) as error:
        return str(error)


async def _add_pods(client: KubeClient, namespace: str, workload: Manifest, limit: int, made: Collection) -> int:
    """Add at most `limit` pods that a workload selects; how many."""
    selector = _selector(workload)
    if not namespace or not selector:
        return 0
    try:
        found = (await client.list(PODS, namespace, label_selector=selector)).items
    except ApiError as error:
        made.miss(f"pods of {workload.get('kind')} {namespace}/{name_of(workload)}: {error}")
        return 0
    for pod in found[:limit]:
        made.add_json("pods", namespace, name_of(pod), value=pod)
    if len(found) > limit:
        made.miss(
            f"pods of {workload.get('kind')} {namespace}/{name_of(workload)}: only {limit} of {len(found)} are here"
        )
    return min(len(found), limit)


def _selector(workload: Manifest) -> str:
    """The label selector of a workload's pods; empty for anything else, whatever it looks like."""
    if workload.get("kind") not in _WORKLOADS:
        return ""
    selector = (workload.get("spec") or {}).get("selector")
    labels = selector.get("matchLabels") if isinstance(selector, Mapping) else None
    return ",".join(f"{key}={value}" for key, value in sorted(labels.items())) if isinstance(labels, Mapping) else ""
