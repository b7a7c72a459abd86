"""The catalogs of a cluster: which count, and the way to their content. Rule: resolution.md 2."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from olm_cli.catalogs.catalog import Catalog, UnusableCatalog
from olm_cli.catalogs.direct import DirectRoute
from olm_cli.catalogs.proxied import ProxyRoute
from olm_cli.catalogs.served import Route, ServedCatalog
from olm_cli.cluster import connected, listed
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.output import say
from olm_cli.progress import working
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_CATALOGS
from olmv1.manifests import Manifest, labels_of, name_of
from olmv1.selectors import Selector
from operator_controller.catalogs.counting import base_url_of, counts, unusable_reason

__all__ = ["cluster_catalogs"]

_SERVICE = re.compile(r"(?P<service>[a-z0-9-]+)\.(?P<namespace>[a-z0-9-]+)\.svc(?:\..*)?")


@asynccontextmanager
async def cluster_catalogs(
    catalogs: CatalogOptions, cluster: ClusterOptions, selector: Selector | None = None
) -> AsyncIterator[tuple[Catalog, ...]]:
    """The catalogs of the cluster that count and are selected, by name; those that cannot be read say why when asked.

    Raises:
        BadInput: there is no usable kubeconfig, or an option is wrong.
        CannotTell: the cluster does not answer.
    """
    async with connected(cluster) as client, AsyncExitStack() as stack:
        with working("asking the cluster for its catalogs"):
            found = await listed(client, CLUSTER_CATALOGS)
        ways = _Ways(client, catalogs, stack)
        counting = [item for item in found if counts(item) and (selector is None or selector.matches(labels_of(item)))]
        if not counting and selector is None:
            say(_nothing(len(found)))
        yield tuple(_catalog(item, ways) for item in counting)


def _nothing(count: int) -> str:
    if count:
        return f"every ClusterCatalog of the cluster ({count}) is Unavailable or being deleted"
    return "the cluster has no ClusterCatalogs: create one, or name catalogs with --catalog DIR|FILE|IMAGE"


@dataclass(slots=True)
class _Ways:
    """Ways to catalogd, each opened once."""

    client: KubeClient
    options: CatalogOptions
    stack: AsyncExitStack
    opened: dict[str, Route] = field(default_factory=dict)

    def to(self, base_url: str) -> Route:
        """The way to the catalogd that says it is at `base_url`."""
        own = self.options.catalogd_url
        parts = urlsplit(base_url)
        address = own or f"{parts.scheme}://{parts.netloc}"
        if address not in self.opened:
            inside = None if own else _SERVICE.fullmatch(parts.hostname or "")
            self.opened[address] = self._proxied(base_url, inside) if inside else self._direct(address)
        return self.opened[address]

    def _proxied(self, base_url: str, inside: re.Match[str]) -> Route:
        parts = urlsplit(base_url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return ProxyRoute(self.client, inside["namespace"], f"{parts.scheme}:{inside['service']}:{port}")

    def _direct(self, address: str) -> Route:
        route = DirectRoute(address, self.options.catalogd_cas_dir)
        self.stack.push_async_callback(route.close)
        return route


def _catalog(manifest: Manifest, ways: _Ways) -> Catalog:
    name = name_of(manifest)
    priority = int((manifest.get("spec") or {}).get("priority") or 0)
    if (reason := unusable_reason(manifest)) is not None:
        return UnusableCatalog(name, priority, reason)
    return ServedCatalog(name, priority, ways.to(base_url_of(manifest)))
