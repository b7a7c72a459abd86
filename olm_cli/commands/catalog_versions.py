"""`olm catalog versions PACKAGE`: every bundle of a package, and the upgrade edges between them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import Block, Cell, Line, Table, Tone, answer, apart
from olm_cli.problems import ExitCode, NotThere
from olm_cli.similar import did_you_mean

__all__ = ["CATALOG_VERSIONS"]


def versions(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="The package to look at.")],
    *,
    channel: Annotated[
        list[str] | None,
        typer.Option("--channel", metavar="NAME", help="Only this channel; may be given several times."),
    ] = None,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Show every version of a package: its channels, what it upgrades from, and what is deprecated."""
    documents = asyncio.run(_read(package, channel or [], catalogs, cluster))
    answer(output.output, documents, apart(_blocks(document) for document in documents))
    return ExitCode.YES


CATALOG_VERSIONS = Command(
    group="catalog",
    name="versions",
    run=versions,
    summary="Show every version of a package and what it upgrades from.",
    examples={
        "olm catalog versions prometheus": "every version in the cluster's catalogs, highest first",
        "olm catalog versions prometheus --channel stable": "only what one channel holds",
        "olm catalog versions my-operator --catalog ./my-catalog -o json": "of a directory, with every edge",
    },
)


async def _read(
    name: str, channels: Sequence[str], catalogs: CatalogOptions, cluster: ClusterOptions
) -> list[Mapping[str, Any]]:
    from olm_cli.catalogs import opened  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.findings import find_package  # noqa: PLC0415
    from olm_cli.package_view import versions_document  # noqa: PLC0415

    async with opened(catalogs, cluster) as places:
        found = await find_package(places, name)
    known = frozenset(channel.name for finding in found for channel in finding.package.channels)
    for channel in channels:
        if channel not in known:
            raise NotThere(f'package "{name}" has no channel "{channel}"{did_you_mean(channel, known)}')
    documents = (versions_document(finding, frozenset(channels)) for finding in found)
    return [document for document in documents if document["versions"] or not channels]


def _blocks(document: Mapping[str, Any]) -> Iterator[Block]:
    yield Line(f"{document['package']} in catalog {document['catalog']}", Tone.STRONG)
    yield Line()
    names = {each["bundle"]: _full(each) for each in document["versions"]}
    default = document["defaultChannel"]
    rows = [_row(each, names, default) for each in document["versions"]]
    yield Table(["VERSION", "CHANNELS", "UPGRADES FROM", "BUNDLE", "NOTES"], rows)
    remarks = list(_remarks(document))
    yield from (Line(), *remarks) if remarks else ()


def _row(version: Mapping[str, Any], names: Mapping[str, str], default: str) -> list[Cell | str]:
    channels = [each["name"] + ("*" if each["name"] == default else "") for each in version["channels"]]
    return [
        Cell(_full(version), Tone.STRONG),
        ", ".join(channels),
        _sources(version["channels"], names),
        version["bundle"],
        _notes(version),
    ]


def _full(version: Mapping[str, Any]) -> str:
    release = f"+{version['release']}" if version["release"] else ""
    return f"{version['version']}{release}"


def _sources(channels: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> str:
    """What the bundle upgrades from; said once when all its channels agree."""
    texts = {each["name"]: _edges(each, names) for each in channels}
    if len(set(texts.values())) <= 1:
        return next(iter(texts.values()), "")
    return " | ".join(f"{name}: {text or 'nothing'}" for name, text in texts.items())


_FEW = 4


def _edges(entry: Mapping[str, Any], names: Mapping[str, str]) -> str:
    parts = []
    if "replaces" in entry:
        parts.append(names.get(entry["replaces"], entry["replaces"]))
    if skips := entry.get("skips", ()):
        more = f" and {len(skips) - _FEW} more" if len(skips) > _FEW else ""
        parts.append("skips " + " ".join(names.get(name, name) for name in skips[:_FEW]) + more)
    if "skipRange" in entry:
        parts.append(f'"{entry["skipRange"]}"')
    return ", ".join(parts)


def _notes(version: Mapping[str, Any]) -> Cell:
    notes = []
    if "versionError" in version:
        return Cell("version cannot be read", Tone.BAD)
    if version["deprecated"]:
        notes.append("deprecated")
    if not version["channels"]:
        notes.append("in no channel")
    elif len(version["skippedIn"]) == len(version["channels"]):
        notes.append("skipped")
    elif version["skippedIn"]:
        notes.append(f"skipped in {', '.join(version['skippedIn'])}")
    return Cell(", ".join(notes), Tone.DOUBTFUL)


def _remarks(document: Mapping[str, Any]) -> Iterator[Block]:
    """What needs more than a cell."""
    if any(channel["isDefault"] for channel in document["channels"]):
        yield Line("* the default channel", Tone.FAINT)
    for text in document["deprecated"]:
        yield Line(f"package deprecated: {text}", Tone.DOUBTFUL)
    for channel in document["channels"]:
        for text in channel["deprecated"]:
            yield Line(f"channel {channel['name']} deprecated: {text}", Tone.DOUBTFUL)
    for version in document["versions"]:
        for text in version["deprecated"]:
            yield Line(f"bundle {version['bundle']} deprecated: {text}", Tone.DOUBTFUL)
    for bad in document["invalidSkipRanges"]:
        yield Line(f"bundle {bad['bundle']} in {bad['channel']}: skipRange ignored: {bad['message']}", Tone.BAD)
