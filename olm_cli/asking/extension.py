"""The question that the controller asks for an extension of the cluster."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from olm_cli.asking.kube_version import kube_version_of
from olm_cli.asking.neighbours import neighbours_of
from olm_cli.asking.question import Asked, changed
from olm_cli.catalogs import opened, read_package
from olm_cli.cluster import connected, listed
from olm_cli.findings import contents_of
from olm_cli.kube_version import given_kube_version
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import NotThere
from olm_cli.progress import working
from olm_cli.similar import did_you_mean
from olm_cli.wanted import WantedOptions
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.vocabulary import ConditionType, Reason
from olmv1.conditions import condition_of
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_CATALOGS, CLUSTER_EXTENSIONS, CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, name_of
from operator_controller.catalogs.counting import left_out
from operator_controller.explanation import Surroundings
from operator_controller.revisions.view import extension_of, installed, view_of
from operator_controller.target import request_of, selector_of

__all__ = ["asked_about_extension"]


@asynccontextmanager
async def asked_about_extension(
    name: str, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> AsyncIterator[Asked]:
    """The question that the controller asks for the extension `name`, with what the options change in it.

    Raises:
        NotThere: the cluster has no such extension.
        CannotTell: the cluster does not answer.
        TerminalError: the extension selects catalogs in a way that is none.
    """
    async with connected(cluster) as client:
        with working("asking the cluster for the extension"):
            manifest = await _extension(client, name)
            ext = ClusterExtension.parse(manifest)
            request = request_of(ext, installed(map(view_of, await _revisions(client, name))))
            version = given_kube_version(wanted.kube_version) or await kube_version_of(client)
            neighbours = await neighbours_of(client, name)
            every = () if catalogs.catalog else await listed(client, CLUSTER_CATALOGS)
    selector = selector_of(ext)
    async with opened(catalogs, cluster, selector) as places:
        contents = contents_of(await read_package(places, request.package))
        asked = changed(replace(request, kube_version=version), wanted, contents)
        surroundings = Surroundings(_selector_text(ext), tuple(left_out(every, selector)))
        yield Asked(asked, contents, places, surroundings, neighbours, _trouble_of(manifest))


async def _extension(client: KubeClient, name: str) -> Manifest:
    found = {name_of(each): each for each in await listed(client, CLUSTER_EXTENSIONS)}
    if name not in found:
        raise NotThere(f'the cluster has no ClusterExtension "{name}"{did_you_mean(name, found)}')
    return found[name]


async def _revisions(client: KubeClient, name: str) -> list[Manifest]:
    return [each for each in await listed(client, CLUSTER_OBJECT_SETS) if extension_of(each) == name]


def _trouble_of(manifest: Manifest) -> str:
    """What `Progressing` says about the present spec when it is in trouble; of a long list the first line."""
    condition = condition_of(manifest, ConditionType.PROGRESSING)
    if condition is None or condition.get("observedGeneration") != manifest["metadata"].get("generation"):
        return ""
    if condition.get("reason") in (Reason.SUCCEEDED, Reason.ROLLING_OUT):
        return ""
    first, *others = str(condition.get("message", "")).splitlines() or [""]
    return f"now Progressing is {condition['status']} ({condition['reason']}): {first}{' …' if others else ''}"


def _selector_text(ext: ClusterExtension) -> str:
    selector = ext.spec.source.catalog.selector
    return "" if selector is None else selector.model_dump_json(by_alias=True, exclude_none=True, exclude_defaults=True)
