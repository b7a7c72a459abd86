"""A package as the catalogs know it, and what to say when none does. Shared by the commands about one package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from olm_cli.catalogs import Catalog, Read, Unread, read_package, read_packages
from olm_cli.output import say
from olm_cli.problems import CannotTell, NotThere
from olm_cli.similar import did_you_mean
from olmv1.fbc import Package
from operator_controller.resolver import CatalogContent, CatalogProblem, PackageIndex, index_package

__all__ = ["Finding", "contents_of", "find_package", "hint_on_package", "warn_about"]


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """One package of one catalog: as written, and as the resolver sees it."""

    catalog: str
    package: Package
    index: PackageIndex


async def find_package(catalogs: Sequence[Catalog], name: str) -> tuple[Finding, ...]:
    """The package in every catalog that has it; catalogs that cannot be read are warned about.

    Raises:
        NotThere: no catalog has it.
        CannotTell: none of those that could be read has it.
    """
    answers = await read_package(catalogs, name)
    found = tuple(
        Finding(answer.catalog, answer.package, index_package(answer.package))
        for answer in answers
        if isinstance(answer, Read) and answer.package is not None
    )
    if not found:
        await _raise_missing(catalogs, answers, name)
    warn_about(answers)
    return found


def contents_of(answers: Sequence[Read | Unread]) -> tuple[CatalogContent | CatalogProblem, ...]:
    """What the resolver is given: the package of every catalog, ready to be searched."""
    return tuple(
        CatalogProblem(answer.catalog, answer.priority, answer.reason)
        if isinstance(answer, Unread)
        else CatalogContent(answer.catalog, answer.priority, index_package(answer.package) if answer.package else None)
        for answer in answers
    )


async def hint_on_package(catalogs: Sequence[Catalog], name: str) -> str:
    """`package "x" is in none of the catalogs [a b]; did you mean "xy"?`"""
    if not catalogs:
        return f'package "{name}" is nowhere: there is no catalog to look into'
    places = " ".join(catalog.name for catalog in catalogs)
    known: set[str] = set()
    for answer in await read_packages(catalogs):
        if isinstance(answer, Read):
            known.update(package.name for package in answer.packages)
    return f'package "{name}" is in none of the catalogs [{places}]{did_you_mean(name, known)}'


def warn_about(answers: Sequence[Read | Unread]) -> None:
    """Name on standard error the catalogs that could not be read."""
    for answer in answers:
        if isinstance(answer, Unread):
            say(f"warning: {_unread(answer)}")


async def _raise_missing(catalogs: Sequence[Catalog], answers: Sequence[Read | Unread], name: str) -> None:
    unread = [answer for answer in answers if isinstance(answer, Unread)]
    if unread:
        raise CannotTell("; ".join(map(_unread, unread)))
    raise NotThere(await hint_on_package(catalogs, name))


def _unread(answer: Unread) -> str:
    return answer.reason if answer.catalog in answer.reason else f'catalog "{answer.catalog}": {answer.reason}'
