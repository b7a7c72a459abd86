"""`olm catalog show [PACKAGE]`: the packages of catalogs, or one package with its channels."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import Block, Cell, Fields, Line, Table, Tone, answer, apart, say
from olm_cli.problems import CannotTell, ExitCode

__all__ = ["CATALOG_SHOW"]


def show(
    package: Annotated[
        str | None, typer.Argument(metavar="PACKAGE", help="The package to look at; without it all are listed.")
    ] = None,
    *,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Show the packages of the catalogs, or one package: its channels, newest versions and deprecations."""
    if package is None:
        documents = asyncio.run(_list(catalogs, cluster))
        answer(output.output, documents, _listing(documents))
    else:
        documents = asyncio.run(_one(package, catalogs, cluster))
        answer(output.output, documents, apart(_details(document) for document in documents))
    return ExitCode.YES


CATALOG_SHOW = Command(
    group="catalog",
    name="show",
    run=show,
    summary="Show packages, or one package with its channels.",
    examples={
        "olm catalog show": "every package of the cluster's catalogs",
        "olm catalog show prometheus": "its channels, with the newest version of each",
        "olm catalog show --catalog ./my-catalog": "the packages of a directory of file-based catalog files",
        "olm catalog show prometheus --catalog quay.io/operatorhubio/catalog:latest -o json": "from an image, as JSON",
    },
)


async def _list(catalogs: CatalogOptions, cluster: ClusterOptions) -> list[Mapping[str, Any]]:
    from olm_cli.catalogs import Read, opened, read_packages  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.findings import warn_about  # noqa: PLC0415

    async with opened(catalogs, cluster) as places:
        answers = await read_packages(places)
    warn_about(answers)
    if answers and not any(isinstance(each, Read) for each in answers):
        raise CannotTell("none of the catalogs could be read")
    documents: list[Mapping[str, Any]] = [
        {
            "catalog": each.catalog,
            "package": package.name,
            "defaultChannel": package.default_channel,
            "channels": sorted(channel.name for channel in package.channels),
            "deprecated": [
                entry.message or "deprecated" for entry in package.deprecations if entry.schema == "olm.package"
            ],
            "deprecatedChannels": sorted(
                {entry.name for entry in package.deprecations if entry.schema == "olm.channel"}
            ),
        }
        for each in answers
        if isinstance(each, Read)
        for package in each.packages
    ]
    if answers and not documents:
        say("no packages")
    return documents


async def _one(name: str, catalogs: CatalogOptions, cluster: ClusterOptions) -> list[Mapping[str, Any]]:
    from olm_cli.catalogs import opened  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.findings import find_package  # noqa: PLC0415
    from olm_cli.package_view import package_document  # noqa: PLC0415

    async with opened(catalogs, cluster) as places:
        return [package_document(finding) for finding in await find_package(places, name)]


def _listing(documents: Sequence[Mapping[str, Any]]) -> Iterator[Block]:
    if not documents:
        return
    rows = [
        [
            document["package"],
            document["catalog"],
            document["defaultChannel"],
            _few(document["channels"]),
            Cell(_deprecated(document), Tone.DOUBTFUL),
        ]
        for document in documents
    ]
    yield Table(["PACKAGE", "CATALOG", "DEFAULT CHANNEL", "CHANNELS", "DEPRECATED"], rows)


def _deprecated(document: Mapping[str, Any]) -> str:
    if document["deprecated"]:
        return "yes"
    names = document["deprecatedChannels"]
    return f"channel{'s' * (len(names) > 1)} {_few(names)}" if names else ""


_FEW = 4


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW} more" if len(names) > _FEW else ""
    return ", ".join(names[:_FEW]) + more


def _details(document: Mapping[str, Any]) -> Iterator[Block]:
    yield Line(f"{document['package']} in catalog {document['catalog']}", Tone.STRONG)
    yield Fields(list(_fields(document)))
    yield Line()
    rows = [
        [
            channel["name"] + (" (default)" if channel["isDefault"] else ""),
            str(channel["bundles"]),
            *_newest(channel["newest"]),
            Cell("; ".join(_deprecations(channel)), Tone.DOUBTFUL),
        ]
        for channel in document["channels"]
    ]
    yield Table(["CHANNEL", "BUNDLES", "NEWEST", "BUNDLE", "DEPRECATED"], rows)


def _fields(document: Mapping[str, Any]) -> Iterator[tuple[str, Cell | str]]:
    named = (
        ("name", document["displayName"]),
        ("summary", document["summary"]),
        ("provider", document["provider"]),
        ("provides", _few(sorted({api["kind"] for api in document["provides"]}))),
    )
    yield from ((name, text) for name, text in named if text)
    yield "default channel", document["defaultChannel"] or "none"
    gone = len(document["deprecatedBundles"])
    yield "bundles", f"{document['bundles']}{f', {gone} of them deprecated' if gone else ''}"
    yield from (("deprecated", Cell(text, Tone.DOUBTFUL)) for text in document["deprecated"])


def _deprecations(channel: Mapping[str, Any]) -> Iterator[str]:
    """What is deprecated for someone who follows the channel: it, or what it would install."""
    yield from channel["deprecated"]
    newest = channel["newest"]
    yield from (f"{newest['bundle']}: {text}" for text in (newest["deprecated"] if newest else ()))


def _newest(newest: Mapping[str, Any] | None) -> tuple[str, str]:
    return ("", "") if newest is None else (newest["version"], newest["bundle"])
