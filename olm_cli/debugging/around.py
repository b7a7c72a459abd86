"""Events about the extension and what belongs to it, and what runs OLM on the cluster."""

from __future__ import annotations

from collections.abc import Collection as Names
from typing import Any

import orjson

from olm_cli.debugging.collection import Collection
from olmv1.api.names import DEFAULT_SYSTEM_NAMESPACE
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError
from olmv1.kube.resources import EVENTS, LEASES, PODS
from olmv1.manifests import Manifest, ObjectKey

__all__ = ["add_cluster", "add_events"]

_EVENTS = 1000
_NAMESPACES = 20
_OF_CLUSTER_SCOPED = "default"
"""Where the API server keeps Events about objects without a namespace."""


async def add_cluster(client: KubeClient, made: Collection) -> None:
    """Add the version of the API server, and pods and Leases of the system namespace.

    Raises:
        ApiError: the server does not tell its version.
    """
    about: dict[str, Any] = {"version": orjson.loads(await client.raw("/version"))}
    for name, resource in (("pods", PODS), ("leases", LEASES)):
        try:
            about[name] = list((await client.list(resource, DEFAULT_SYSTEM_NAMESPACE)).items)
        except ApiError as error:
            made.miss(f"{name} of namespace {DEFAULT_SYSTEM_NAMESPACE}: {error}")
    made.add_json("cluster", value=about)


async def add_events(client: KubeClient, names: Names[str], keys: Names[ObjectKey], made: Collection) -> None:
    """Add the newest Events about objects of these names, and about what they brought forth, such as pods."""
    wanted = {*names, *(key.name for key in keys)}
    places = sorted({key.namespace for key in keys if key.namespace} - {_OF_CLUSTER_SCOPED})
    if len(places) > _NAMESPACES:
        made.miss(f"Events: only {_NAMESPACES} of {len(places)} namespaces were asked")
    found: list[Manifest] = []
    for namespace in [_OF_CLUSTER_SCOPED, *places[:_NAMESPACES]]:
        try:
            found += [_brief(each) for each in (await client.list(EVENTS, namespace)).items if _is_about(each, wanted)]
        except ApiError as error:
            made.miss(f"Events of namespace {namespace}: {error}")
    if len(found) > _EVENTS:
        made.miss(f"Events: only the newest {_EVENTS} of {len(found)} are here")
    made.add_json("events", value=sorted(found, key=_time)[-_EVENTS:])


def _is_about(event: Manifest, names: Names[str]) -> bool:
    """Whether it regards one of the objects, or one whose name begins with theirs: a pod of a Deployment."""
    name = str((event.get("regarding") or {}).get("name") or "")
    parts = name.split("-")
    return any("-".join(parts[:length]) in names for length in range(len(parts), 0, -1))


def _brief(event: Manifest) -> Manifest:
    """The Event without what it says about its own fields."""
    return {key: value for key, value in event.items() if key != "metadata" and not key.startswith("deprecated")} | {
        "metadata": {key: value for key, value in event["metadata"].items() if key != "managedFields"}
    }


def _time(event: Manifest) -> str:
    series = event.get("series") or {}
    created = (event.get("metadata") or {}).get("creationTimestamp")
    return str(series.get("lastObservedTime") or event.get("eventTime") or created or "")
