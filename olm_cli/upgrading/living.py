"""The objects of a running cluster. Imported only when there is one: a Kubernetes client comes with it."""

from __future__ import annotations

from olm_cli.asking.kube_version import kube_version_of
from olm_cli.cluster import connected, explained, listed
from olm_cli.options import ClusterOptions
from olm_cli.progress import working
from olm_cli.upgrading.snapshot import Snapshot, places_in
from olmv1.errors import RetryableError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, NotFound
from olmv1.kube.resources import CLUSTER_CATALOGS, CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS, SECRETS, Resource
from olmv1.manifests import Manifest
from operator_controller.revisions.plan import Place

__all__ = ["snapshot_of_cluster"]

_CLUSTER_VERSIONS = Resource("config.openshift.io", "v1", "clusterversions", "ClusterVersion", False)
_DISCOVERY = f"/apis/{_CLUSTER_VERSIONS.api_version}"


async def snapshot_of_cluster(options: ClusterOptions) -> Snapshot:
    """What the cluster has.

    Raises:
        CannotTell: the cluster does not answer.
    """
    async with connected(options) as client:
        with working("asking the cluster for its extensions"):
            object_sets = await listed(client, CLUSTER_OBJECT_SETS)
            return Snapshot(
                extensions=await listed(client, CLUSTER_EXTENSIONS),
                object_sets=object_sets,
                catalogs=await listed(client, CLUSTER_CATALOGS),
                cluster_version=await _cluster_version(client),
                kube_version=await kube_version_of(client) or "",
                secrets={place: await _secret(client, place) for place in places_in(object_sets)},
            )


async def _cluster_version(client: KubeClient) -> Manifest | None:
    with explained("read the ClusterVersion"):
        try:
            # Asked first, because whoever may read little is refused an object of an API that does not exist as well.
            await client.fetch(_DISCOVERY)
            return await client.get(_CLUSTER_VERSIONS, "version")
        except NotFound:
            return None


async def _secret(client: KubeClient, place: Place) -> Manifest | RetryableError:
    namespace, name = place
    try:
        return await client.get(SECRETS, name, namespace)
    except ApiError as error:
        return RetryableError(f"Secret {namespace}/{name}: {error}")
