"""What is on the cluster already: the objects of the installed revision, and the proxy that operators are given."""

from __future__ import annotations

from collections.abc import Mapping

from olm_cli.cluster import explained
from olm_cli.problems import CannotTell
from olm_cli.progress import working
from olmv1.api.names import DEFAULT_SYSTEM_NAMESPACE
from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, name_of
from olmv1.served import Served
from operator_controller.environment import proxy_environment
from operator_controller.rollout.content import Contents

__all__ = ["objects_of", "proxy_of"]

_PROXIES = Resource("config.openshift.io", "v1", "proxies", "Proxy", False)
_PROXY = "cluster"


async def objects_of(client: KubeClient, revision: Manifest) -> tuple[Manifest, ...]:
    """The objects of a ClusterObjectSet as it stores them.

    Raises:
        CannotTell: the Secrets that hold them cannot be read.
    """
    contents = Contents(client, DEFAULT_SYSTEM_NAMESPACE)
    try:
        with working("reading the objects of the installed revision"):
            plan = await contents.plan(revision)
            made = [each for each in plan.objects if each.place is not None]
            return tuple([await contents.body(revision, each) for each in made])
    except OlmError as error:
        text = f'the objects of ClusterObjectSet "{name_of(revision)}" cannot be read: {error}'
        raise CannotTell(f"{text}; they are in Secrets, ask for the right to get those that it refers to") from error


async def proxy_of(client: KubeClient, served: Served) -> Mapping[str, str]:
    """The environment of the cluster's proxy, empty without one. Raises: CannotTell."""
    if not served.has(_PROXIES.group, _PROXIES.kind, _PROXIES.version):
        return {}
    with explained("read the proxy of the cluster"):
        try:
            return proxy_environment(await client.get(_PROXIES, _PROXY))
        except NotFound:
            return {}
