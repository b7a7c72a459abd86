"""The bundles of a package that an account installs: the chosen one, and those before and after it on upgrades."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from olm_cli.asking import Asked, asked_about_package, code_of
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.output import say
from olm_cli.problems import BadInput, CannotTell, ExitCode, NotThere
from olm_cli.wanted import WantedOptions
from olmv1.errors import OlmError
from olmv1.fbc import Bundle
from olmv1.versions import Range
from operator_controller.explanation.reach import reachable
from operator_controller.resolver import (
    Candidate,
    CatalogContent,
    Chosen,
    InstalledBundle,
    PackageIndex,
    Request,
    Unresolved,
    resolve,
)

__all__ = ["Source", "sources_in_catalogs"]

_REFUSALS: dict[ExitCode, type[OlmError]] = {
    ExitCode.NO: NotThere,
    ExitCode.BAD_INPUT: BadInput,
    ExitCode.CANNOT_TELL: CannotTell,
}


@dataclass(frozen=True, slots=True)
class Source:
    """Where a bundle is: a directory or an image; `version` as the catalog has it, empty where none was asked."""

    place: str
    version: str = ""
    pull_cas_dir: Path | None = None
    bundle: str = ""
    """Its name in the catalog, empty where none was asked."""


async def sources_in_catalogs(
    package: str, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions, *, upgrades: bool
) -> tuple[Source, ...]:
    """The bundle that an extension would get; with `upgrades` also the installed one and every one within reach.

    Within reach is what upgrades lead to from the installed bundle, else from the chosen one; where a range is given
    and nothing is installed, everything in the range. Lowest version first.

    Raises:
        NotThere, BadInput, CannotTell: nothing can be chosen, as `olm resolve` says.
    """
    async with asked_about_package(package, wanted, catalogs, cluster) as asked:
        found = resolve(asked.request, asked.contents)
        if isinstance(found, Unresolved):
            lines = [found.message, *await asked.hints()]
            raise _REFUSALS[code_of(found, asked.request)]("; ".join(lines))
        if not upgrades:
            return (_source(found.bundle, str(found.version), catalogs),)
        every = sorted(_upgrades(asked, found), key=_precedence)
    return tuple(_source(each.bundle, str(each.version or each.name), catalogs) for each in every)


def _upgrades(asked: Asked, chosen: Chosen) -> Iterable[Candidate]:
    request = asked.request
    indexes = [each.package for each in asked.contents if isinstance(each, CatalogContent) and each.package is not None]
    admitted = Range.parse(request.range_text or "*")
    if request.installed is None and request.range_text:
        return {each.name: each for each in _in_range(indexes, request, admitted)}.values()
    start = request.installed or InstalledBundle(chosen.bundle.name, str(chosen.version.version))
    reached = reachable(replace(request, installed=start), asked.contents)
    found = {
        each.candidate.name: each.candidate
        for each in reached.values()
        if admitted.contains(each.version.version) and each.candidate.version is not None
    }
    for index in indexes:
        for name in (start.name, chosen.bundle.name):
            if name in index.by_name:
                found.setdefault(name, index.by_name[name])
    if start.name not in found:
        say(f'warning: bundle "{start.name}" is in no catalog any more: rights to remove what only it has are left out')
    return found.values()


def _in_range(indexes: Sequence[PackageIndex], request: Request, admitted: Range) -> Iterator[Candidate]:
    channels = frozenset(request.channels)
    for index in indexes:
        for each in index.candidates:
            is_offered = each.channels & channels if channels else each.channels
            if is_offered and each.version is not None and admitted.contains(each.version.version):
                yield each


def _precedence(candidate: Candidate) -> tuple[object, ...]:
    return (() if candidate.version is None else (candidate.version.key,), candidate.name)


def _source(bundle: Bundle, version: str, catalogs: CatalogOptions) -> Source:
    if not bundle.image:
        raise CannotTell(f'bundle "{bundle.name}": its catalog names no image')
    # With a scheme, so that a catalog cannot name a directory of this machine.
    return Source(f"docker://{bundle.image}", version, catalogs.pull_cas_dir, bundle.name)
