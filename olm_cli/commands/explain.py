"""`olm explain`: why an extension gets the bundle that it gets, or none, and what a person could do about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import Block, answer
from olm_cli.problems import BadInput, ExitCode
from olm_cli.wanted import WantedOptions

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from olm_cli.asking import Asked

__all__ = ["EXPLAIN"]


@dataclass(frozen=True, slots=True)
class _Result:
    """What is printed, and the exit code."""

    document: Mapping[str, Any]
    blocks: Sequence[Block]
    code: ExitCode


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """What is explained, and at what length."""

    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="A ClusterExtension of the cluster; the options change what it asks for."),
    ] = None
    is_whole: Annotated[
        bool, typer.Option("--all", help="Show every bundle and every step, not only the nearest ones.")
    ] = False


def explain(
    *,
    report: ReportOptions,
    wanted: WantedOptions,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Explain which bundle an extension gets, or why it gets none, and what else could be asked for.

    Shows what every catalog and every rule left over, the upgrades that follow by themselves, the shortest route to the
    wanted version, and what OLM Classic would have chosen. Ask about an extension of the cluster by its NAME, or about
    any package with --package. Nothing is changed.

    The exit code is 0 when a bundle is chosen and 1 when none is, or when its dependencies hold it.
    """
    question = _asked(report.name, wanted, catalogs, cluster)
    result = asyncio.run(_explain(question, report))
    answer(output.output, result.document, result.blocks)
    return result.code


EXPLAIN = Command(
    name="explain",
    run=explain,
    summary="Explain a choice: rules, routes, what else is possible.",
    examples={
        "olm explain prometheus": "why the extension gets what it gets, or why it does not move on",
        "olm explain prometheus --version 2.0.0": "what would happen if it asked for 2.0.0, and the way there",
        "olm explain -p prometheus --installed 1.2.3": "a package of the cluster's catalogs, upgraded from 1.2.3",
        "olm explain -p my-operator --catalog ./my-catalog --version 2.x -o json": "without a cluster, for a script",
    },
)


def _asked(
    name: str | None, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> AbstractAsyncContextManager[Asked]:
    """The question, however it was put.

    Raises:
        BadInput: neither an extension nor a package is named, or both are.
    """
    if name and wanted.package:
        raise BadInput(f'an extension "{name}" and a package "{wanted.package}" are named: drop one of them')
    if name:
        from olm_cli.asking.extension import asked_about_extension  # noqa: PLC0415 - a Kubernetes client comes with it

        return asked_about_extension(name, wanted, catalogs, cluster)
    if wanted.package:
        from olm_cli.asking import asked_about_package  # noqa: PLC0415 - `olm --help` needs no resolver

        return asked_about_package(wanted.package, wanted, catalogs, cluster)
    raise BadInput("explain what? name an extension: olm explain NAME, or a package: olm explain --package PACKAGE")


async def _explain(question: AbstractAsyncContextManager[Asked], report: ReportOptions) -> _Result:
    from olm_cli.asking import code_of  # noqa: PLC0415 - `olm --help` needs no resolver
    from olm_cli.asking.dependencies import needs_of  # noqa: PLC0415
    from olm_cli.explaining import blocks_of  # noqa: PLC0415
    from olm_cli.explaining.dependencies import dependency_blocks  # noqa: PLC0415
    from operator_controller.explanation import explain as explained  # noqa: PLC0415
    from operator_controller.explanation import headline  # noqa: PLC0415
    from operator_controller.resolver import Chosen, resolve  # noqa: PLC0415

    async with question as asked:
        found = resolve(asked.request, asked.contents)
        explanation = explained(asked.request, asked.contents, found, asked.surroundings)
        hints = [*await asked.hints(), *([asked.trouble] if asked.trouble and isinstance(found, Chosen) else [])]
        needs = await needs_of(asked, found)
    said = {"extension": report.name, "headline": headline(explanation), "hints": list(hints)}
    document = {**said, **explanation.to_json()}
    blocks = list(blocks_of(report.name, explanation, hints, is_whole=report.is_whole))
    code = code_of(found, asked.request)
    if needs is None:
        return _Result(document, blocks, code)
    shown = [*blocks, *dependency_blocks(needs)]
    return _Result({**document, "dependencies": needs.to_json()}, shown, ExitCode.NO if needs.is_held else code)
