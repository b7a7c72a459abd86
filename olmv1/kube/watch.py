"""The events of one watch request, until the server ends it.

`olmv1.kube.caches` calls it and decides what to do when it ends. Objects come out without what no controller reads.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Unreachable, error_of_status
from olmv1.kube.resources import Resource
from olmv1.kube.transport import Request

__all__ = ["Event", "WatchQuery", "events"]

_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
_METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json"
# Handling a long burst gives way to other work this often.
_SLICE_S = 0.01
# The server ends a watch itself; when it does not, the connection is dead.
_GRACE_S = 30.0


@dataclass(frozen=True, slots=True)
class WatchQuery:
    """What a watch and its list select; equal queries see equal objects."""

    resource: Resource
    namespace: str | None = None
    label_selector: str = ""
    field_selector: str = ""
    metadata_only: bool = False
    keep_managed_fields: bool = False

    @property
    def selectors(self) -> Mapping[str, str]:
        """The selectors as parameters of a request, without the empty ones."""
        wanted = {"labelSelector": self.label_selector, "fieldSelector": self.field_selector}
        return {key: value for key, value in wanted.items() if value}

    def __str__(self) -> str:
        """`secrets app=till`, as log lines name it."""
        where = f" in {self.namespace}" if self.namespace else ""
        return " ".join(filter(None, [self.resource.plural + where, self.label_selector, self.field_selector]))


@dataclass(frozen=True, slots=True)
class Event:
    """One line of a watch: `type` is ADDED, MODIFIED, DELETED or BOOKMARK."""

    type: str
    object: dict[str, Any]


async def events(
    client: KubeClient,
    query: WatchQuery,
    parameters: Mapping[str, str],
    timeout_s: float,
    on_open: Callable[[], None] = lambda: None,
) -> AsyncGenerator[Event, None]:
    """The events of one request, in order, until the server ends it after about `timeout_s`.

    `on_open` is called when the server has granted the watch; the first event may be long in coming.

    Raises:
        Gone: the resource version is too old, said at once or later in the stream.
        ApiError: the server refuses or the connection breaks.
    """
    asked = {"watch": "true", "allowWatchBookmarks": "true", "timeoutSeconds": str(int(timeout_s)), **parameters}
    request = Request(
        "GET",
        query.resource.path(query.namespace),
        {**query.selectors, **asked},
        headers={"Accept": _METADATA} if query.metadata_only else {},
        answer_s=timeout_s + _GRACE_S,
    )
    pause_at = time.monotonic() + _SLICE_S
    async with client.open(request) as answer:
        on_open()
        rest = b""
        async for chunk in answer.content.iter_any():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if line:
                    yield _event_of(line, query)
                if time.monotonic() >= pause_at:
                    await asyncio.sleep(0)
                    pause_at = time.monotonic() + _SLICE_S


def _event_of(line: bytes, query: WatchQuery) -> Event:
    try:
        document = orjson.loads(line)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict) or not isinstance(document.get("type"), str):
        raise Unreachable(f"watch of {query}: expected a JSON event, found {len(line)} other bytes")
    # An event about something that is no object concerns nobody: the cache leaves out what has no name.
    about = document.get("object")
    about = about if isinstance(about, dict) else {}
    if document["type"] == "ERROR":
        raise error_of_status(about)
    return Event(document["type"], trim(about, query))


def trim(document: dict[str, Any], query: WatchQuery) -> dict[str, Any]:
    """The object under its own kind and without field managers and `last-applied`, unless the query keeps them.

    `document` is our own, freshly parsed value and is changed in place: a copy of every object would double the work.
    """
    document["apiVersion"], document["kind"] = query.resource.api_version, query.resource.kind
    metadata = document.get("metadata")
    if isinstance(metadata, dict) and not query.keep_managed_fields:
        metadata.pop("managedFields", None)
        annotations = metadata.get("annotations")
        if isinstance(annotations, dict):
            annotations.pop(_LAST_APPLIED, None)
    return document
