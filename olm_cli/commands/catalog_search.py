"""`olm catalog search TEXT`: packages by name, description, keywords and the APIs that they provide."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import Block, Cell, Line, Table, Tone, answer
from olm_cli.problems import BadInput, CannotTell, ExitCode, NotThere
from olm_cli.similar import did_you_mean

if TYPE_CHECKING:
    from olm_cli.catalogs import Read, Unread
    from olm_cli.searching import Match
    from olmv1.fbc import Package
    from operator_controller.resolver import PackageIndex

__all__ = ["CATALOG_SEARCH"]


def search(
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="Words, all of which must be found.")],
    *,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Search packages by name, description, keywords and provided APIs, the best first.

    A kind such as Lamp or Lamp.lights.example.com finds who provides it. What is deprecated is said here already. The
    exit code is 1 when nothing is found.
    """
    words = " ".join(text).split()
    if not words:
        raise BadInput("which words? name them: olm catalog search TEXT")
    documents = asyncio.run(_search(words, catalogs, cluster))
    answer(output.output, documents, _listing(documents))
    return ExitCode.YES


CATALOG_SEARCH = Command(
    group="catalog",
    name="search",
    run=search,
    summary="Find packages by name, description, keyword or API.",
    examples={
        "olm catalog search postgres": "every package that has to do with it, the best first",
        "olm catalog search Certificate.cert-manager.io": "who provides a kind",
        "olm catalog search backup storage --catalog ./my-catalog -o json": "both words, in a directory, as JSON",
    },
)


async def _search(words: Sequence[str], catalogs: CatalogOptions, cluster: ClusterOptions) -> list[Mapping[str, Any]]:
    from olm_cli.catalogs import Read, opened, read_packages  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.findings import warn_about  # noqa: PLC0415

    async with opened(catalogs, cluster) as places:
        answers = await read_packages(places, with_bundles=True)
    warn_about(answers)
    packages = [(each.catalog, package) for each in answers if isinstance(each, Read) for package in each.packages]
    found = [document for catalog, package in packages if (document := _document(words, catalog, package))]
    if not found:
        _raise_nothing(words, answers, [package.name for _, package in packages])
    return sorted(found, key=_order)


def _raise_nothing(words: Sequence[str], answers: Sequence[Read | Unread], names: Sequence[str]) -> None:
    from olm_cli.catalogs import Read  # noqa: PLC0415 - `olm --help` needs no catalogs

    text = f'no package has to do with "{" ".join(words)}"'
    if any(not isinstance(each, Read) for each in answers):
        raise CannotTell(f"{text} in the catalogs that could be read")
    known = {part for name in names for part in (name, *name.split("-"))}
    raise NotThere(f"{text}{did_you_mean(' '.join(words), known)}")


def _document(words: Sequence[str], catalog: str, package: Package) -> Mapping[str, Any] | None:
    from olm_cli.profile import profile_of  # noqa: PLC0415 - `olm --help` needs no resolver
    from olm_cli.searching import match_of  # noqa: PLC0415
    from operator_controller.resolver import index_package  # noqa: PLC0415

    index = index_package(package)
    profile = profile_of(index)
    match = match_of(words, package.name, package.description, profile)
    if match is None:
        return None
    newest = profile.newest
    version = newest.version if newest else None
    return {
        "package": package.name,
        "catalog": catalog,
        "displayName": profile.display_name,
        "provider": profile.provider,
        "description": profile.summary or package.description or profile.description,
        "keywords": list(profile.keywords),
        "provides": [{"group": api.group, "version": api.version, "kind": api.kind} for api in profile.provides],
        "defaultChannel": package.default_channel,
        "newest": {"bundle": newest.name, "version": str(version) if version else ""} if newest else None,
        "deprecated": list(_deprecations(index, newest.name if newest else "")),
        **_matched(match),
    }


def _matched(match: Match) -> Mapping[str, Any]:
    return {"score": match.score, "matches": list(match.reasons)}


def _deprecations(index: PackageIndex, newest: str) -> Iterator[str]:
    """What is deprecated of that which a plain install would take."""
    found = index.deprecations
    yield from (f"package: {text}" for text in found.package)
    yield from (f"channel {index.default_channel}: {text}" for text in found.channels.get(index.default_channel, ()))
    yield from (f"bundle {newest}: {text}" for text in found.bundles.get(newest, ()))


def _order(document: Mapping[str, Any]) -> tuple[object, ...]:
    return -document["score"], bool(document["deprecated"]), document["package"], document["catalog"]


_LONGEST = 60


def _listing(documents: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    titles = ["PACKAGE", "CATALOG", "NEWEST", "FOUND IN", "DESCRIPTION", "NOTES"]
    yield Table(titles, [_row(document) for document in documents])
    remarks = [(document["package"], text) for document in documents for text in document["deprecated"]]
    if remarks:
        yield Line()
        yield from (Line(f"{package}: deprecated {text}", Tone.DOUBTFUL) for package, text in remarks)


def _row(document: Mapping[str, Any]) -> list[Cell | str]:
    newest = document["newest"]
    return [
        Cell(document["package"], Tone.STRONG),
        document["catalog"],
        newest["version"] if newest else "",
        ", ".join(document["matches"]),
        _first_sentence(document["description"] or document["displayName"]),
        Cell("deprecated" if document["deprecated"] else "", Tone.DOUBTFUL),
    ]


def _first_sentence(text: str) -> str:
    """What fits into a cell: descriptions are pages of Markdown."""
    lines = [line.strip("#* \t") for line in text.splitlines()]
    first = next((line for line in lines if line), "").partition(". ")[0]
    return first if len(first) <= _LONGEST else f"{first[: _LONGEST - 1].rstrip()}…"
