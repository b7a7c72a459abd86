"""The extension whose upgrade is looked at, and what its catalogs give it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from olm_cli.asking import Asked
from olm_cli.asking.dependencies import needs_of
from olm_cli.asking.extension import asked_about_extension
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import CannotTell
from olm_cli.wanted import WantedOptions
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.manifests import Manifest, annotations_of
from olmv1.served import Served
from operator_controller.approval import waiting_plan
from operator_controller.resolver import Chosen, Request, Unresolved, resolve

__all__ = ["PlanSubject", "subject_named"]


@dataclass(frozen=True, slots=True, eq=False)
class PlanSubject:
    """`requirement` says which requirement would hold the chosen bundle, or is empty; `is_changed`: options ask for
    another bundle than the spec does."""

    ext: ClusterExtension
    manifest: Manifest
    served: Served
    request: Request
    found: Chosen | Unresolved
    requirement: str = ""
    is_changed: bool = False

    @property
    def annotations(self) -> Mapping[str, str]:
        """Those of the extension."""
        return annotations_of(self.manifest)

    @property
    def waiting(self) -> str:
        """The plan that the condition names; empty when the controller waits for nobody."""
        return waiting_plan(self.manifest)


async def subject_named(
    name: str, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> PlanSubject:
    """The extension `name` with what it asks for, as far as the options change nothing in it.

    Raises:
        NotThere: the cluster has no such extension.
        CannotTell: the cluster or a catalog that decides does not answer.
        TerminalError: the extension cannot be read.
    """
    async with asked_about_extension(name, wanted, catalogs, cluster) as asked:
        found = resolve(asked.request, asked.contents)
        if isinstance(found, Unresolved) and found.problem_catalogs:
            raise CannotTell(found.message)
        return await _subject(name, asked, found, is_changed=wanted != WantedOptions() or bool(catalogs.catalog))


async def _subject(name: str, asked: Asked, found: Chosen | Unresolved, *, is_changed: bool) -> PlanSubject:
    around = asked.neighbours
    if around is None:
        raise CannotTell(f'nothing is known around ClusterExtension "{name}"')
    needs = await needs_of(asked, found)
    return PlanSubject(
        ClusterExtension.parse(around.ext),
        around.ext,
        around.served,
        asked.request,
        found,
        str(needs.verdict.failure) if needs is not None and needs.is_held else "",
        is_changed=is_changed,
    )
