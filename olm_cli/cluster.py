"""The cluster that a command asks, and what a user can do when it does not answer.

Imported by commands only once they need a cluster: the client is slow to import.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

from olm_cli.options import ClusterOptions
from olm_cli.problems import CannotTell, NoCluster
from olmv1.errors import TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError, Forbidden, NotFound, Unauthorized, Unreachable
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, name_of
from olmv1.telemetry.logs import configure_logs

__all__ = ["connected", "listed"]

_USER_AGENT = "olm-cli"
# Somebody waits: what cannot be reached twice in a row is told, not tried for as long as a controller would.
_PATIENCE_S = 2.0


@asynccontextmanager
async def connected(options: ClusterOptions) -> AsyncIterator[KubeClient]:
    """A client of the cluster that the options name; no request is made yet.

    Raises:
        NoCluster: there is no usable kubeconfig, or it has no such context.
    """
    configure_logs("CRITICAL", json=False)  # whatever goes wrong is said once, by the command
    try:
        client = await KubeClient.connect(
            options.kubeconfig, user_agent=_USER_AGENT, context=options.context, patience_s=_PATIENCE_S
        )
    except TerminalError as error:
        raise NoCluster(f"{error}; name a cluster with --kubeconfig FILE and --context NAME") from error
    async with client:
        yield client


async def listed(client: KubeClient, resource: Resource) -> tuple[Manifest, ...]:
    """Every object of a kind of OLM v1, by name.

    Raises:
        CannotTell: the cluster does not answer, refuses, or does not have OLM v1.
    """
    with explained(f"list {resource.plural}"):
        try:
            found = await client.list(resource)
        except NotFound as error:
            text = f"the cluster does not know {resource.kind} ({resource.api_version}): install OLM v1 on it first"
            raise CannotTell(text) from error
    return tuple(sorted(found.items, key=name_of))


@contextmanager
def explained(doing: str) -> Iterator[None]:
    """Turn refusals of the API server into errors that say what could not be done and what helps."""
    try:
        yield
    except ApiError as error:
        raise CannotTell(f"cannot {doing}: {error}{_advice(error)}") from error


def _advice(error: ApiError) -> str:
    match error:
        case Unauthorized():
            return "; log in again, or choose another --context"
        case Forbidden():
            return "; ask for the ClusterRole operator-controller-clusterextension-viewer-role"
        case Unreachable():
            address = error.details.get("address")
            return f"; check the address in the kubeconfig ({address}), or choose another --context"
        case _:
            return ""
