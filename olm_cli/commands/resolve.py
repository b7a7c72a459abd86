"""`olm resolve`: the bundle that a ClusterExtension would get, by the resolver of the controller."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import Block, Cell, Fields, Line, Tone, answer
from olm_cli.problems import BadInput, ExitCode
from olm_cli.wanted import WantedOptions
from olmv1.api.vocabulary import Reason

if TYPE_CHECKING:
    from operator_controller.resolver import CatalogTrace, Chosen, Request, Unresolved

__all__ = ["RESOLVE"]


@dataclass(frozen=True, slots=True)
class _Result:
    """What is printed, and the exit code."""

    document: Mapping[str, Any]
    blocks: Sequence[Block]
    code: ExitCode


def resolve(
    name: Annotated[str | None, typer.Argument(metavar="PACKAGE", help="The package to resolve.")] = None,
    *,
    wanted: WantedOptions,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Tell which bundle a ClusterExtension would get, or why it gets none.

    `olm explain` tells the same at length: every bundle that was considered, and what else one could ask for.
    """
    result = asyncio.run(_resolve(_package(name, wanted.package), wanted, catalogs, cluster))
    answer(output.output, result.document, result.blocks)
    return result.code


RESOLVE = Command(
    name="resolve",
    run=resolve,
    summary="Tell which bundle an extension would get, or why none.",
    examples={
        "olm resolve prometheus": "what a ClusterExtension with the package alone gets from the cluster's catalogs",
        'olm resolve prometheus --version ">=1.2 <2" --channel stable': "with a range, in one channel",
        "olm resolve prometheus --installed 1.2.3": "what an extension that has 1.2.3 is upgraded to",
        "olm resolve my-operator --catalog ./my-catalog --catalog quay.io/example/catalog:v1 -o json": (
            "without a cluster, as JSON"
        ),
    },
)


def _package(name: str | None, option: str | None) -> str:
    """The package, however it was given.

    Raises:
        BadInput: it was not, or two different ones were.
    """
    given = {each for each in (name, option) if each}
    if not given:
        raise BadInput("which package? name it: olm resolve PACKAGE")
    if len(given) > 1:
        raise BadInput(f'two packages are named, "{name}" and "{option}": drop one of them')
    return given.pop()


async def _resolve(package: str, wanted: WantedOptions, catalogs: CatalogOptions, cluster: ClusterOptions) -> _Result:
    from olm_cli.asking import asked_about_package, code_of  # noqa: PLC0415 - `olm --help` needs no resolver
    from operator_controller.resolver import Unresolved  # noqa: PLC0415
    from operator_controller.resolver import resolve as resolved  # noqa: PLC0415

    async with asked_about_package(package, wanted, catalogs, cluster) as asked:
        found = resolved(asked.request, asked.contents)
        if not isinstance(found, Unresolved):
            return _Result(_chosen_document(found), list(_chosen_blocks(found, asked.request)), ExitCode.YES)
        hints = await asked.hints()
    blocks = list(_unresolved_blocks(found, hints))
    return _Result(_unresolved_document(found), blocks, code_of(found, asked.request))


def _chosen_document(chosen: Chosen) -> Mapping[str, Any]:
    release = chosen.version.release
    return {
        "bundle": chosen.bundle.name,
        "version": str(chosen.version.version),
        "release": None if release is None else str(release),
        "catalog": chosen.catalog,
        "image": chosen.bundle.image,
        "deprecated": chosen.bundle.name in chosen.deprecations.bundles,
    }


def _chosen_blocks(chosen: Chosen, request: Request) -> Iterator[Block]:
    document = _chosen_document(chosen)
    yield Line(document["bundle"], Tone.STRONG)
    fields: list[tuple[str, Cell | str]] = [("version", document["version"])]
    if document["release"] is not None:
        fields.append(("release", document["release"]))
    fields += [("catalog", document["catalog"]), ("image", document["image"]), ("step", _step(chosen, request))]
    messages = chosen.deprecations.about(request.channels, chosen.bundle.name)
    fields += [("deprecated", Cell(text, Tone.DOUBTFUL)) for text in messages.all]
    fields += [("note", note.message) for note in chosen.notes]
    yield Fields(fields)


def _step(chosen: Chosen, request: Request) -> str:
    if request.installed is None:
        return "first install"
    if chosen.is_installed:
        return "stays on what is installed"
    return f"from {request.installed.name} ({request.installed.version})"


def _unresolved_document(found: Unresolved) -> Mapping[str, Any]:
    return {"error": found.message, "reason": (Reason.BLOCKED if found.is_terminal else Reason.RETRYING).value}


def _unresolved_blocks(found: Unresolved, hints: Sequence[str]) -> Iterator[Block]:
    yield Line(found.message, Tone.BAD)
    for catalog in found.trace.catalogs:
        yield from _why(catalog)
    for text in (*hints, *(note.message for note in found.notes)):
        yield Line(f"hint: {text}", Tone.DOUBTFUL, indent=2)


_FEW = 3


def _why(catalog: CatalogTrace) -> Iterator[Block]:
    """How many bundles each filter left, and the first of those that the last filter removed."""
    if catalog.message or not catalog.bundles:
        yield Line(f"catalog {catalog.name}: {catalog.message or catalog.state}", indent=2)
        return
    emptied = next((step for step in catalog.filters if not step.left), None)
    told = catalog.filters[: catalog.filters.index(emptied) + 1] if emptied else catalog.filters
    steps = "".join(f", {step.left} after {step.filter.name}" for step in told)
    yield Line(f"catalog {catalog.name}: {catalog.bundles} bundles{steps}", indent=2)
    for removal in emptied.removals[:_FEW] if emptied else ():
        yield Line(f"{removal.bundle}: {removal.reason}", Tone.FAINT, indent=4)
    if emptied and (others := len(emptied.removals) - _FEW) > 0:
        yield Line(f"… and {others} more: olm explain shows every bundle, and what helps", Tone.FAINT, indent=4)
