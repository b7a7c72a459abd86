"""The cluster around a question about rights: what is bound to whom there, and which kinds it serves."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from olm_cli.cluster import connected
from olm_cli.options import ClusterOptions
from olm_cli.output import say
from olm_cli.problems import CannotTell
from olm_cli.progress import working
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery, NoSuchKind
from olmv1.kube.errors import ApiError, Conflict, NotFound
from olmv1.kube.resources import (
    CLUSTER_EXTENSIONS,
    CLUSTER_ROLE_BINDINGS,
    CLUSTER_ROLES,
    ROLE_BINDINGS,
    ROLES,
    SERVICE_ACCOUNTS,
)
from olmv1.manifests import Manifest, key_of
from olmv1.served import Served
from operator_controller.authorization import Account, KindMap, MappedKind, RbacSnapshot, unmapped

__all__ = ["Around", "apply_documents", "around"]

_FIELD_MANAGER = "olm-rbac"
_NOTHING_SERVED, _NOBODY = Served(), RbacSnapshot()


@dataclass(frozen=True, slots=True)
class Around:
    """What is known of the cluster; nothing where none is asked."""

    client: KubeClient | None = None
    discovery: Discovery | None = None
    served: Served = _NOTHING_SERVED
    rbac: RbacSnapshot = _NOBODY

    async def kinds_of(self, objects: Sequence[Manifest]) -> KindMap:
        """The kinds of the objects; those that not every cluster has are asked for.

        Raises:
            CannotTell: nobody knows the kind of an object; every such object is named.
        """
        kinds, found = KindMap().with_definitions(objects), []
        for key in dict.fromkeys(key for key in map(key_of, objects) if not kinds.knows(key)):
            if self.discovery is not None:
                try:
                    with _explained("ask what the cluster serves"):
                        resource = await self.discovery.resource_for(key.api_version, key.kind)
                    found.append((key.kind, MappedKind(resource.group, resource.plural, resource.namespaced)))
                except NoSuchKind:
                    continue
        kinds = KindMap(found)
        if problems := unmapped(objects, kinds):
            raise CannotTell("\n".join(problems))
        return kinds

    async def has_account(self, account: Account) -> bool:
        """Whether the account exists. Raises: CannotTell."""
        if self.client is None:
            return False
        with _explained("look for the service account"):
            try:
                await self.client.get(SERVICE_ACCOUNTS, account.name, account.namespace, metadata_only=True)
            except NotFound:
                return False
        return True

    async def installed(self, extension: str, package: str) -> str | None:
        """The bundle that the extension of this name has installed of the package; `None` without one.

        Raises: CannotTell.
        """
        if self.client is None:
            return None
        with _explained("look for the extension"):
            try:
                found = await self.client.get(CLUSTER_EXTENSIONS, extension)
            except NotFound:
                return None
        wanted = ((found.get("spec") or {}).get("source") or {}).get("catalog") or {}
        bundle = ((found.get("status") or {}).get("install") or {}).get("bundle") or {}
        return str(bundle["name"]) if bundle.get("name") and wanted.get("packageName") == package else None


@asynccontextmanager
async def around(options: ClusterOptions, *, is_asked: bool, is_needed: bool) -> AsyncIterator[Around]:
    """The cluster that the options name, when it is to be asked; without `is_needed` it may keep its roles to itself.

    Raises:
        NoCluster: there is none.
        CannotTell: it does not answer, or refuses.
    """
    if not is_asked:
        yield Around()
        return
    async with connected(options) as client:
        discovery, rbac = Discovery(client), _NOBODY
        with working("asking the cluster who may do what"):
            with _explained("ask what the cluster serves"):
                served = await discovery.served()
            try:
                rbac = RbacSnapshot(await _every(client))
            except CannotTell as error:
                if is_needed:
                    raise
                say(f"warning: {error}; roles that are referred to and not brought along are not known")
        yield Around(client, discovery, served, rbac)


@contextmanager
def _explained(doing: str) -> Iterator[None]:
    """Turn refusals of the API server into errors that say what could not be done."""
    try:
        yield
    except ApiError as error:
        raise CannotTell(f"cannot {doing}: {error}") from error


async def _every(client: KubeClient) -> list[Manifest]:
    found: list[Manifest] = []
    for resource in (ROLES, CLUSTER_ROLES, ROLE_BINDINGS, CLUSTER_ROLE_BINDINGS):
        with _explained(f"list {resource.plural}"):
            found += (await client.list(resource)).items
    return found


async def apply_documents(around: Around, documents: Iterable[Manifest]) -> list[tuple[Manifest, bool]]:
    """Apply manifests in their order; each with whether it was created.

    Raises:
        CannotTell: the cluster refuses one, or somebody else manages a part of it; those before it are applied.
    """
    done: list[tuple[Manifest, bool]] = []
    for manifest in documents:
        key = key_of(manifest)
        if around.client is None or around.discovery is None:
            raise CannotTell("no cluster is asked")
        with _explained(f"apply {key.kind} {key.name}"):
            resource = await around.discovery.resource_for(key.api_version, key.kind)
            try:
                _, created = await around.client.apply_reporting(resource, manifest, field_manager=_FIELD_MANAGER)
            except Conflict as error:
                raise CannotTell(
                    f"{key.kind} {key.name} is managed by somebody else: {error}; look at it, then take it over with "
                    "olm rbac … -o yaml | kubectl apply --server-side --force-conflicts -f -"
                ) from error
        done.append((manifest, created))
    return done
