"""`olm catalog graph PACKAGE`: the upgrade edges of a package, as text, drawing or values."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, Format
from olm_cli.output import answer, answer_text, apart
from olm_cli.problems import ExitCode, NotThere
from olm_cli.similar import did_you_mean

if TYPE_CHECKING:
    from olm_cli.findings import Finding
    from olm_cli.graph import PackageGraph

__all__ = ["CATALOG_GRAPH"]


class Drawing(StrEnum):
    """How a graph is printed."""

    TEXT = "text"
    DOT = "dot"
    MERMAID = "mermaid"
    SVG = "svg"
    JSON = "json"
    YAML = "yaml"


@dataclass(frozen=True, slots=True)
class GraphOptions:
    """What of the package is shown, and how."""

    channel: Annotated[
        list[str], typer.Option("--channel", metavar="NAME", help="Only this channel; may be given several times.")
    ] = field(default_factory=list)
    start: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="NAME|VERSION[/RELEASE]", help="What is installed: marks where upgrades lead from there."
        ),
    ] = None
    output: Annotated[Drawing, typer.Option("-o", "--output", help="How to print the graph.")] = Drawing.TEXT


def graph(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="The package to look at.")],
    *,
    options: GraphOptions,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
) -> ExitCode:
    """Show the upgrade graph of a package: which bundle follows which, and where that is not what OLM Classic does.

    With --from the installed bundle, the next one and all that can be reached are marked. Drawings leave out most edges
    of a skipRange that holds many bundles; JSON has every edge.
    """
    graphs = asyncio.run(_graphs(package, options, catalogs, cluster))
    _print(graphs, options.output)
    return ExitCode.YES


CATALOG_GRAPH = Command(
    group="catalog",
    name="graph",
    run=graph,
    summary="Draw the upgrade edges of a package.",
    examples={
        "olm catalog graph prometheus --from 1.0.0": "where upgrades lead from 1.0.0, as a table",
        "olm catalog graph prometheus --channel stable -o svg > stable.svg": "one channel as an image",
        "olm catalog graph prometheus --catalog ./my-catalog -o mermaid": "for a Markdown page",
        "olm catalog graph prometheus -o dot | dot -Tpng > graph.png": "drawn by Graphviz",
    },
)


async def _graphs(
    name: str, options: GraphOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> list[PackageGraph]:
    from olm_cli.catalogs import opened  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.findings import find_package  # noqa: PLC0415
    from olm_cli.graph import Subject, graph_of  # noqa: PLC0415
    from olm_cli.installed import installed_bundle  # noqa: PLC0415

    async with opened(catalogs, cluster) as places:
        found = await find_package(places, name)
    channels = frozenset(options.channel)
    having = _with_channels(name, found, options.channel)
    indexes = [each.index for each in found]
    installed = installed_bundle(options.start, name, indexes, option="--from") if options.start else None
    return [graph_of(Subject(each.catalog, each.package, each.index, channels, installed)) for each in having]


def _with_channels(name: str, found: Sequence[Finding], channels: Sequence[str]) -> list[Finding]:
    """The findings that have one of the channels; all without any. Raises: NotThere for a channel that none has."""
    known = frozenset(channel.name for each in found for channel in each.package.channels)
    for channel in channels:
        if channel not in known:
            raise NotThere(f'package "{name}" has no channel "{channel}"{did_you_mean(channel, known)}')
    return [each for each in found if not channels or any(one.name in channels for one in each.package.channels)]


def _print(graphs: Sequence[PackageGraph], form: Drawing) -> None:
    from olm_cli import graph as drawn  # noqa: PLC0415 - `olm --help` needs no resolver

    match form:
        case Drawing.DOT:
            answer_text(drawn.dot_of(graphs))
        case Drawing.MERMAID:
            answer_text(drawn.mermaid_of(graphs))
        case Drawing.SVG:
            answer_text(drawn.svg_of(graphs))
        case _:
            documents = [drawn.graph_document(graph) for graph in graphs]
            answer(Format(form.value), documents, apart(drawn.text_of(graph) for graph in graphs))
