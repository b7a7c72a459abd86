"""From the options of a command to the catalogs that it looks into."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from olm_cli.catalogs.catalog import Catalog
from olm_cli.catalogs.loaded import catalog_on_disk
from olm_cli.catalogs.sources import PathSource, Source, sources_of
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import BadInput, NoCluster
from olmv1.selectors import Selector

__all__ = ["opened"]


@asynccontextmanager
async def opened(
    catalogs: CatalogOptions, cluster: ClusterOptions, selector: Selector | None = None
) -> AsyncIterator[tuple[Catalog, ...]]:
    """The catalogs that `--catalog` names, else those of the cluster that `selector` selects; none is read yet.

    Raises:
        BadInput: a source is nothing that can be read, or there is no kubeconfig.
        CannotTell: the cluster does not answer.
    """
    async with AsyncExitStack() as stack:
        if catalogs.catalog:
            if catalogs.catalogd_url:
                raise BadInput("--catalog and --catalogd-url exclude each other: drop one of them")
            yield await _named(sources_of(catalogs.catalog), catalogs, stack)
        else:
            # Imported here: catalogs on disk are read without a Kubernetes client.
            from olm_cli.catalogs.cluster import cluster_catalogs  # noqa: PLC0415

            try:
                found = await stack.enter_async_context(cluster_catalogs(catalogs, cluster, selector))
            except NoCluster as error:
                raise NoCluster(f"{error}, or catalogs with --catalog DIR|FILE|IMAGE") from error
            yield found


async def _named(sources: tuple[Source, ...], options: CatalogOptions, stack: AsyncExitStack) -> tuple[Catalog, ...]:
    if all(isinstance(source, PathSource) for source in sources):
        return tuple(catalog_on_disk(source) for source in sources if isinstance(source, PathSource))
    from olm_cli.catalogs.pulled import ImageReader  # noqa: PLC0415 - a registry client comes with it

    reader = ImageReader(options.pull_cas_dir)
    stack.push_async_callback(reader.close)
    return tuple(catalog_on_disk(each) if isinstance(each, PathSource) else reader.catalog(each) for each in sources)
