"""Verbs of the Kubernetes API on raw mappings, as the process itself or as a service account.

Every shell room reads and writes through it. Manifests that are passed in are never changed. It holds no rule of OLM;
errors are those of `olmv1.kube.errors`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import parse_qsl

import aiohttp
import orjson
from prometheus_client import CollectorRegistry

from olmv1.kube.configuration import Access
from olmv1.kube.errors import ApiError
from olmv1.kube.paging import next_limit
from olmv1.kube.resources import Resource
from olmv1.kube.transport import Answer, Request, Transport
from olmv1.manifests import Manifest

__all__ = ["KubeClient", "Listing"]

_JSON = "application/json"
_AS = f"{_JSON};as={{}};g=meta.k8s.io;v=v1,{_JSON}"
_METADATA = _AS.format("PartialObjectMetadata")
_METADATA_LIST = _AS.format("PartialObjectMetadataList")
# Bodies behind the service proxy may be whole catalogs.
_RAW_ANSWER_S = 300.0


@dataclass(frozen=True, slots=True)
class Listing:
    """The objects of a collection, in the order of the API server, and the version they stand for."""

    items: tuple[Manifest, ...]
    resource_version: str


class KubeClient:
    """One identity on one API server; `connect` makes it, `async with` or `close` ends it."""

    def __init__(
        self, transport: Transport, *, impersonate: str | None = None, is_allowed: Callable[[], bool] | None = None
    ) -> None:
        self._transport = transport
        self._impersonate = impersonate
        self._is_allowed = is_allowed

    @classmethod
    async def connect(
        cls,
        kubeconfig: str | None,
        *,
        user_agent: str,
        registry: CollectorRegistry | None = None,
        context: str | None = None,
        patience_s: float = 15.0,
    ) -> KubeClient:
        """The client of `kubeconfig`; without one that of the pod, else of `KUBECONFIG` or `~/.kube/config`.

        No request is made yet. `registry` receives `rest_client_requests_total`. `context` names one of the kubeconfig
        instead of its current one; the pod's own access has none and is then passed over. `patience_s`: for how long a
        server that cannot be reached is tried again; somebody who waits has less of it than a controller.

        Raises:
            TerminalError: there is no usable configuration.
        """
        access = await Access.load(kubeconfig, context=context)
        return cls(Transport(access, user_agent, registry, patience_s))

    async def __aenter__(self) -> KubeClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def as_service_account(self, namespace: str, name: str) -> KubeClient:
        """The same connections, acting as a service account; the server adds the groups of the account itself."""
        account = f"system:serviceaccount:{namespace}:{name}"
        return KubeClient(self._transport, impersonate=account, is_allowed=self._is_allowed)

    def guarded_by(self, is_allowed: Callable[[], bool]) -> KubeClient:
        """The same connections and identity, for a replica that writes only while it leads.

        `is_allowed` is asked right before every request that is not a GET. When it says no, nothing is sent and
        `NotLeading` is raised: a process that slept past its lease must not write when it wakes.
        """
        return KubeClient(self._transport, impersonate=self._impersonate, is_allowed=is_allowed)

    async def get(
        self, resource: Resource, name: str, namespace: str | None = None, *, metadata_only: bool = False
    ) -> Manifest:
        """The object as it is now; with `metadata_only` just its `metadata`, for a fraction of the cost.

        Raises:
            NotFound: there is no such object.
        """
        accept = _METADATA if metadata_only else _JSON
        request = Request("GET", resource.path(namespace, name), headers={"Accept": accept})
        return _named(_document(request, (await self._send(request)).body), resource)

    async def list(
        self,
        resource: Resource,
        namespace: str | None = None,
        *,
        label_selector: str = "",
        field_selector: str = "",
        metadata_only: bool = False,
    ) -> Listing:
        """Every object that fits the selectors, read in pages; all namespaces without `namespace`.

        Raises:
            Gone: the collection changed for so long that a page expired; list again.
        """
        items: list[Manifest] = []
        query = {"labelSelector": label_selector, "fieldSelector": field_selector}
        async for page in self.pages(resource, namespace, query=query, metadata_only=metadata_only):
            items += page.items
            version = page.resource_version
        return Listing(tuple(items), version)

    async def pages(
        self, resource: Resource, namespace: str | None = None, *, query: Mapping[str, str], metadata_only: bool = False
    ) -> AsyncIterator[Listing]:
        """The pages of a list, small enough that parsing one does not hold up the loop; empty parameters are left out.

        Raises:
            Gone: the collection changed for so long that a page expired; list again.
        """
        accept = _METADATA_LIST if metadata_only else _JSON
        limit, token = next_limit(0, 0), ""
        while True:
            wanted = {**query, "limit": str(limit), "continue": token}
            filled = {key: value for key, value in wanted.items() if value}
            request = Request("GET", resource.path(namespace), filled, headers={"Accept": accept})
            body = (await self._send(request)).body
            document = _document(request, body)
            found = [item for item in document.get("items") or () if isinstance(item, dict)]
            metadata = document.get("metadata") or {}
            yield Listing(tuple(_named(item, resource) for item in found), str(metadata.get("resourceVersion") or ""))
            token = metadata.get("continue") or ""
            if not token:
                return
            limit = next_limit(len(found), len(body))

    async def create(self, resource: Resource, manifest: Manifest, *, dry_run: bool = False) -> Manifest:
        """The object as created, with what defaulting and admission added.

        Raises:
            AlreadyExists: an object of this name is there.
        """
        path = resource.path(_namespace_of(manifest))
        return await self._write(Request("POST", path, _dry_run(dry_run), orjson.dumps(manifest), is_idempotent=False))

    async def replace(self, resource: Resource, manifest: Manifest, *, dry_run: bool = False) -> Manifest:
        """The object after all of it was replaced by `manifest`.

        Raises:
            Conflict: `metadata.resourceVersion` is no longer the current one.
        """
        path = resource.path(_namespace_of(manifest), manifest["metadata"]["name"])
        return await self._write(Request("PUT", path, _dry_run(dry_run), orjson.dumps(manifest), is_idempotent=False))

    async def replace_status(self, resource: Resource, manifest: Manifest) -> Manifest:
        """The object after its `status` was replaced by that of `manifest`; nothing else changes.

        Raises:
            Conflict: `metadata.resourceVersion` is no longer the current one.
        """
        path = resource.path(_namespace_of(manifest), manifest["metadata"]["name"], "status")
        return await self._write(Request("PUT", path, body=orjson.dumps(manifest), is_idempotent=False))

    async def patch(  # noqa: PLR0913 - every part of a patch request is named at the call
        self,
        resource: Resource,
        name: str,
        patch: Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        namespace: str | None = None,
        subresource: str | None = None,
        field_manager: str | None = None,
        dry_run: bool = False,
    ) -> Manifest:
        """The object after `patch`: a mapping is a JSON merge patch, a sequence a JSON patch.

        Raises:
            Conflict: the patch names a `resourceVersion` that is no longer the current one.
            Invalid: a `test` of a JSON patch does not hold.
        """
        is_merge = isinstance(patch, Mapping)
        kind = "application/merge-patch+json" if is_merge else "application/json-patch+json"
        query = {**({"fieldManager": field_manager} if field_manager else {}), **_dry_run(dry_run)}
        path = resource.path(namespace, name, subresource)
        body = orjson.dumps(patch if is_merge else list(patch))
        return await self._write(Request("PATCH", path, query, body, {"Content-Type": kind}, is_idempotent=is_merge))

    async def apply(  # noqa: PLR0913 - the choices of a request are named at the call
        self,
        resource: Resource,
        manifest: Manifest,
        *,
        field_manager: str,
        force: bool = False,
        dry_run: bool = False,
        subresource: str | None = None,
    ) -> Manifest:
        """The object after server-side apply of `manifest`, or of its part `subresource`; created when absent.

        Unknown fields of custom resources are pruned with a warning that goes to the debug log
        (`fieldValidation=Warn`); built-in kinds refuse them in server-side apply, whatever is asked for.

        Raises:
            Conflict: another field manager owns a field with another value and `force` is off.
            ServerError: a built-in kind does not know a field (HTTP 500, `field not declared in schema`).
        """
        found, _ = await self.apply_reporting(
            resource, manifest, field_manager=field_manager, force=force, dry_run=dry_run, subresource=subresource
        )
        return found

    async def apply_reporting(  # noqa: PLR0913 - as `apply`
        self,
        resource: Resource,
        manifest: Manifest,
        *,
        field_manager: str,
        force: bool = False,
        dry_run: bool = False,
        subresource: str | None = None,
    ) -> tuple[Manifest, bool]:
        """What `apply` returns, and whether the object was created by this call.

        Raises:
            ApiError: as `apply`.
        """
        query = {
            "fieldManager": field_manager,
            "force": "true" if force else "false",
            "fieldValidation": "Warn",
            **_dry_run(dry_run),
        }
        path = resource.path(_namespace_of(manifest), manifest["metadata"]["name"], subresource)
        headers = {"Content-Type": "application/apply-patch+yaml"}  # JSON is YAML, and a tenth of the work
        request = Request("PATCH", path, query, orjson.dumps(manifest), headers)
        answer = await self._send(request)
        return _document(request, answer.body), answer.status == 201

    async def delete(  # noqa: PLR0913 - preconditions are named at the call
        self,
        resource: Resource,
        name: str,
        namespace: str | None = None,
        *,
        uid: str | None = None,
        resource_version: str | None = None,
        propagation: str = "Background",
        dry_run: bool = False,
    ) -> Manifest:
        """What the server answers to the deletion: the object when finalizers hold it, else a Status.

        Raises:
            NotFound: there is no such object; also when a first try succeeded and its answer was lost.
            Conflict: the object is another one than `uid` or `resource_version` says.
        """
        wanted = {"uid": uid, "resourceVersion": resource_version}
        options: dict[str, Any] = {"apiVersion": "v1", "kind": "DeleteOptions", "propagationPolicy": propagation}
        if dry_run:
            options["dryRun"] = ["All"]  # the API server does not look at the query of a DELETE that has a body
        if preconditions := {key: value for key, value in wanted.items() if value}:
            options["preconditions"] = preconditions
        return await self._write(
            Request("DELETE", resource.path(namespace, name), _dry_run(dry_run), orjson.dumps(options))
        )

    async def post(self, path: str, body: Mapping[str, Any]) -> Manifest:
        """The answer to a POST on any path: reviews of tokens and access, service-account tokens."""
        return await self._write(Request("POST", path, body=orjson.dumps(body), is_idempotent=False))

    async def raw(self, path: str, *, headers: Mapping[str, str] | None = None, limit_bytes: int = 1 << 30) -> bytes:
        """The body behind any GET path, such as the service proxy; `path` may carry a query.

        Raises:
            ApiError: the server refused, or the body is larger than `limit_bytes`.
        """
        return (await self.fetch(path, headers=headers, limit_bytes=limit_bytes)).body

    async def fetch(self, path: str, *, headers: Mapping[str, str] | None = None, limit_bytes: int = 1 << 30) -> Answer:
        """The answer behind any GET path; its status is 304 when a validator in `headers` still holds.

        Raises:
            ApiError: the server refused, or the body is larger than `limit_bytes`.
        """
        plain, _, query = path.partition("?")
        pairs = parse_qsl(query, keep_blank_values=True)
        wanted = {"Accept": "*/*", **(headers or {})}
        request = Request("GET", plain, pairs, headers=wanted, answer_s=_RAW_ANSWER_S, limit_bytes=limit_bytes)
        return await self._send(request)

    @asynccontextmanager
    async def open(self, request: Request) -> AsyncIterator[aiohttp.ClientResponse]:
        """The unread answer to a request, tried once; for streams."""
        async with self._transport.open(self._as_identity(request)) as answer:
            yield answer

    async def close(self) -> None:
        """End every connection; clients made by `as_service_account` share them and end too."""
        await self._transport.close()

    async def _write(self, request: Request) -> Manifest:
        return _document(request, (await self._send(request)).body)

    async def _send(self, request: Request) -> Answer:
        return await self._transport.send(self._as_identity(request))

    def _as_identity(self, request: Request) -> Request:
        headers = {"Accept": _JSON, **({"Content-Type": _JSON} if request.body is not None else {}), **request.headers}
        if self._impersonate:
            headers["Impersonate-User"] = self._impersonate
        is_allowed = None if request.method == "GET" else self._is_allowed
        return replace(request, headers=headers, is_allowed=is_allowed)


def _document(request: Request, body: bytes) -> dict[str, Any]:
    """The answer as the object that it has to be; proxies in between answer pages of their own."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        document = None
    if not isinstance(document, dict):
        raise ApiError(f"{request}: expected a Kubernetes object, found {len(body)} other bytes", status=200)
    return document


def _named(document: dict[str, Any], resource: Resource) -> Manifest:
    """The object with the kind it is stored as: items of lists carry none, metadata-only objects a generic one."""
    return {**document, "apiVersion": resource.api_version, "kind": resource.kind}


def _namespace_of(manifest: Manifest) -> str | None:
    namespace: str | None = manifest["metadata"].get("namespace")
    return namespace


def _dry_run(is_dry: bool) -> Mapping[str, str]:
    return {"dryRun": "All"} if is_dry else {}
