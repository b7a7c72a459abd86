"""What the cluster says about its extensions. Imported only once it is asked: a Kubernetes client comes with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olm_cli.cluster import connected, listed
from olm_cli.notes import notes_of
from olm_cli.options import ClusterOptions
from olm_cli.problems import NotThere
from olm_cli.progress import working
from olm_cli.similar import did_you_mean
from olm_cli.status.apis import apis_known
from olm_cli.status.documents import document_of
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import name_of

__all__ = ["read_all", "read_one"]


async def read_all(cluster: ClusterOptions) -> Sequence[Mapping[str, Any]]:
    """The documents of all extensions, by name. Raises: CannotTell."""
    async with connected(cluster) as client:
        with working("asking the cluster for its extensions"):
            return [document_of(each) for each in await listed(client, CLUSTER_EXTENSIONS)]


async def read_one(cluster: ClusterOptions, name: str) -> Mapping[str, Any]:
    """The document of one extension, with `notes` and `apis`.

    Raises:
        NotThere: there is none of this name.
        CannotTell: the cluster does not answer.
    """
    async with connected(cluster) as client:
        with working("asking the cluster for its extensions"):
            found = {name_of(each): each for each in await listed(client, CLUSTER_EXTENSIONS)}
            if name not in found:
                raise NotThere(f'the cluster has no ClusterExtension "{name}"{did_you_mean(name, found)}')
            ext = found[name]
            notes, apis = await notes_of(client, ext), await apis_known(client, name)
            return {**document_of(ext), "notes": notes, "apis": apis}
