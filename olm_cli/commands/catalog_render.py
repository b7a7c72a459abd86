"""`olm catalog render DIR|FILE|IMAGE`: the blobs of a catalog in normal form."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import Format, OutputOptions
from olm_cli.output import answer_text
from olm_cli.problems import ExitCode

if TYPE_CHECKING:
    from olmv1.fbc import Blob

__all__ = ["CATALOG_RENDER"]


def render(
    place: Annotated[str, typer.Argument(metavar="DIR|FILE|IMAGE", help="The catalog to render.")],
    *,
    pull_cas_dir: Annotated[
        Path | None,
        typer.Option("--pull-cas-dir", metavar="DIR", help="CA certificates to trust when the image is pulled."),
    ] = None,
    output: OutputOptions,
) -> ExitCode:
    """Render a catalog: every blob on a line of its own, as JSON with sorted keys.

    Packages come by name, and in each the package, its channels and its bundles by name, then what else it has; so two
    renderings can be compared with diff. With -o yaml every blob is a document. Nothing is validated: see olm catalog
    validate.

    Several catalogs are rendered as one when their directories are copied below one directory.
    """
    blobs = asyncio.run(_blobs(place, pull_cas_dir))
    answer_text(_documents(blobs) if output.output is Format.YAML else (f"{blob.json.decode()}\n" for blob in blobs))
    return ExitCode.YES


CATALOG_RENDER = Command(
    group="catalog",
    name="render",
    run=render,
    summary="Print the blobs of a catalog in their normal form.",
    examples={
        "olm catalog render quay.io/operatorhubio/catalog:latest > catalog.json": "keep what an image holds",
        "olm catalog render ./catalogs -o yaml": "all catalogs below a directory as one, in YAML",
        "diff <(olm catalog render ./old) <(olm catalog render ./new)": "what differs between two catalogs",
    },
)


async def _blobs(place: str, pull_cas_dir: Path | None) -> Iterable[Blob]:
    from olm_cli.catalogs.content import content_of  # noqa: PLC0415 - `olm --help` needs no catalogs
    from olm_cli.progress import working  # noqa: PLC0415
    from olmv1.fbc import load, published_order  # noqa: PLC0415

    async with content_of(place, pull_cas_dir) as root:
        with working(f"reading {place}"):
            catalog = await asyncio.to_thread(load, root)
    return published_order(catalog.blobs)


def _documents(blobs: Iterable[Blob]) -> Iterator[str]:
    from olmv1.yaml import dump_yaml, load_json  # noqa: PLC0415 - two parsers come with it

    for blob in blobs:
        yield f"---\n{dump_yaml(load_json(blob.json))}"
