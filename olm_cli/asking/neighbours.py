"""The cluster around a question: what else is installed, and what is served. Requirements are evaluated against it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from olm_cli.cluster import explained, listed
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, name_of
from olmv1.served import Served
from operator_controller.dependencies import Inventory, installed_extension
from operator_controller.resolver import Request
from operator_controller.revisions.view import extension_of, installed, view_of
from operator_controller.target import request_of

__all__ = ["Neighbours", "neighbours_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Neighbours:
    """`ext` is the extension that the question is about."""

    ext: Manifest
    extensions: Inventory = field(default_factory=Inventory)
    served: Served = field(default_factory=Served)


async def neighbours_of(client: KubeClient, name: str) -> Neighbours:
    """The cluster around the extension `name`, which exists.

    Raises:
        CannotTell: the cluster does not answer.
    """
    sets: dict[str, list[Manifest]] = defaultdict(list)
    for each in await listed(client, CLUSTER_OBJECT_SETS):
        sets[extension_of(each) or ""].append(each)
    found = {name_of(each): each for each in await listed(client, CLUSTER_EXTENSIONS)}
    with explained("ask what the cluster serves"):
        served = await Discovery(client).served()
    extensions = Inventory(
        installed_extension(ext, sets[key], request=_request(ext, sets[key])) for key, ext in found.items()
    )
    return Neighbours(found[name], extensions, served)


def _request(ext: Manifest, sets: Iterable[Manifest]) -> Request | None:
    """What the extension asks for; `None` for one that cannot be read, of which no update can be told."""
    try:
        return request_of(ClusterExtension.parse(ext), installed(map(view_of, sets)))
    except OlmError:
        return None
