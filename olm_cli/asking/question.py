"""A question for the resolver about a package, out of the options of a command."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from olm_cli.catalogs import Catalog, opened, read_package
from olm_cli.findings import contents_of, hint_on_package
from olm_cli.installed import installed_bundle
from olm_cli.kube_version import given_kube_version
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import ExitCode
from olm_cli.wanted import Policy, WantedOptions
from olmv1.versions import Range
from operator_controller.explanation import Surroundings
from operator_controller.resolver import (
    CatalogContent,
    CatalogProblem,
    Chosen,
    InstalledBundle,
    PackageIndex,
    Request,
    Unresolved,
)

if TYPE_CHECKING:
    from olm_cli.asking.neighbours import Neighbours  # a Kubernetes client comes with it

__all__ = ["Asked", "asked_about_package", "changed", "code_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question, ready for the resolver, and the catalogs that it is asked of.

    `trouble`: what the condition of the extension says keeps it where it is; empty when nothing does.
    """

    request: Request
    contents: tuple[CatalogContent | CatalogProblem, ...]
    places: tuple[Catalog, ...]
    surroundings: Surroundings = field(default_factory=Surroundings)
    neighbours: Neighbours | None = None
    trouble: str = ""

    async def hints(self) -> Sequence[str]:
        """When no catalog knows the package: names that may have been meant."""
        is_unknown = not any(isinstance(each, CatalogProblem) or each.package for each in self.contents)
        return [await hint_on_package(self.places, self.request.package)] if is_unknown else []


@asynccontextmanager
async def asked_about_package(
    package: str, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> AsyncIterator[Asked]:
    """The question that the options ask about a package.

    Raises:
        BadInput: an option is wrong.
        CannotTell: the cluster does not answer.
    """
    async with opened(catalogs, cluster) as places:
        contents = contents_of(await read_package(places, package))
        kube_version = given_kube_version(wanted.kube_version) or (
            None if catalogs.catalog else await _cluster_version(cluster)
        )
        request = Request(package, kube_version=kube_version)
        yield Asked(changed(request, wanted, contents), contents, places)


def code_of(found: Chosen | Unresolved, request: Request) -> ExitCode:
    """Yes, or no, unless the range is none, or a catalog that cannot be read may know better."""
    if isinstance(found, Chosen):
        return ExitCode.YES
    if found.problem_catalogs:
        return ExitCode.CANNOT_TELL
    try:
        Range.parse(request.range_text or "*")
    except ValueError:
        return ExitCode.BAD_INPUT
    return ExitCode.NO


def changed(request: Request, wanted: WantedOptions, contents: Sequence[CatalogContent | CatalogProblem]) -> Request:
    """The request with the options that are given; an empty `--version` takes the range away."""
    indexes = [each.package for each in contents if isinstance(each, CatalogContent) and each.package is not None]
    return replace(
        request,
        range_text=request.range_text if wanted.version is None else wanted.version,
        channels=tuple(wanted.channel) or request.channels,
        policy=request.policy if wanted.policy is None else Policy(wanted.policy).value,
        installed=_installed(wanted.installed, request, indexes),
    )


def _installed(text: str | None, request: Request, indexes: Sequence[PackageIndex]) -> InstalledBundle | None:
    return installed_bundle(text, request.package, indexes) if text else request.installed


async def _cluster_version(cluster: ClusterOptions) -> str | None:
    # Imported here: catalogs on disk are read without a Kubernetes client.
    from olm_cli.asking.kube_version import kube_version_of  # noqa: PLC0415
    from olm_cli.cluster import connected  # noqa: PLC0415

    async with connected(cluster) as client:
        return await kube_version_of(client)
