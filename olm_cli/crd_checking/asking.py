"""Definitions and stored objects of a cluster. Imported only when one is asked: the client is slow to import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from olm_cli.crd_checking.places import Definitions
from olm_cli.problems import CannotTell
from olm_cli.progress import working
from olmv1.api.names import KIND_CLUSTER_EXTENSION, LABEL_OWNER_KIND, LABEL_OWNER_NAME
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import CUSTOM_RESOURCE_DEFINITIONS, Resource
from olmv1.manifests import Manifest, name_of
from operator_controller.crd_safety import ObjectsToRead, Stored, StoredCheck

__all__ = ["definitions_named", "definitions_of_extension", "stored_objects"]


async def definitions_named(client: KubeClient, names: Iterable[str]) -> Definitions:
    """Those of `names` that the cluster has; nothing is known about others. Raises: CannotTell."""
    found: dict[str, Manifest] = {}
    with working("asking the cluster for its definitions"):
        for name in sorted(names):
            with _explained(f'get CustomResourceDefinition "{name}"'):
                try:
                    found[name] = await client.get(CUSTOM_RESOURCE_DEFINITIONS, name)
                except NotFound:
                    continue
    return Definitions("the cluster", found, is_whole=False)


async def definitions_of_extension(client: KubeClient, extension: str) -> Definitions:
    """Every definition that the extension manages. Raises: CannotTell."""
    selector = f"{LABEL_OWNER_KIND}={KIND_CLUSTER_EXTENSION},{LABEL_OWNER_NAME}={extension}"
    with working("asking the cluster for its definitions"), _explained("list customresourcedefinitions"):
        listing = await client.list(CUSTOM_RESOURCE_DEFINITIONS, label_selector=selector)
    return Definitions(f'ClusterExtension "{extension}"', {name_of(item): item for item in listing.items})


async def stored_objects(client: KubeClient, wanted: ObjectsToRead, check: StoredCheck, limit: int) -> Stored:
    """Feed `check` page by page, until there are no more objects or `limit` were looked at.

    Raises: CannotTell: the cluster refuses or does not answer.
    """
    resource = Resource(wanted.group, wanted.version, wanted.plural, wanted.kind, wanted.is_namespaced)
    count, known = 0, f"{wanted.plural}.{wanted.group}"
    with working(lambda: f"reading {known}, {count} until now"), _explained(f"list {known}"):
        try:
            async for page in client.pages(resource, query={}, metadata_only=wanted.metadata_only):
                check.add(page.items[: limit - count])
                count += len(page.items)
                if count > limit:
                    return check.result(is_complete=False)
        except NotFound as error:
            await _require_absent(client, known, error)
    return check.result()


async def _require_absent(client: KubeClient, name: str, error: NotFound) -> None:
    """There are no objects where there is no definition; where there is one, something else is wrong."""
    try:
        await client.get(CUSTOM_RESOURCE_DEFINITIONS, name, metadata_only=True)
    except NotFound:
        return
    raise error


@contextmanager
def _explained(doing: str) -> Iterator[None]:
    try:
        yield
    except ApiError as error:
        raise CannotTell(f"cannot {doing}: {error}") from error
