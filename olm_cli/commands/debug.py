"""`olm debug NAME`: one archive for a report about an extension."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, Format
from olm_cli.output import Block, Line, Tone, answer
from olm_cli.problems import ExitCode

__all__ = ["DEBUG"]


@dataclass(frozen=True, slots=True)
class DebugOptions:
    """What the archive is about, and where it goes."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="The ClusterExtension.")]
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="The archive; else olm-debug-NAME-<time>.tar.gz here."),
    ] = None
    log: Annotated[
        list[Path],
        typer.Option("--log", metavar="FILE", help="A log to put in, of which the end is kept; several times."),
    ] = field(default_factory=list)


def debug(options: DebugOptions, *, catalogs: CatalogOptions, cluster: ClusterOptions) -> ExitCode:
    """Collect what a report about an extension needs in one archive, without secrets.

    In it are the extension, its revisions, their objects and pods as they are on the cluster, Events, conditions,
    catalogs, the trace of the resolution, and the logs that you give. Contents of Secrets, private keys, tokens and
    whatever looks like a password are replaced. No rule knows every secret: read the archive before you pass it on.
    What you may not read is left out and named in index.json. Nothing on the cluster is changed.

    The exit code is 0 when the archive is written, also with parts missing; 1 when there is no such extension, 2 when
    the input is wrong, 3 when the cluster does not answer.
    """
    from datetime import UTC, datetime  # noqa: PLC0415 - `olm --help` needs none of it

    from olm_cli.debugging import collect, default_place, logs_in, write_archive  # noqa: PLC0415

    logs = logs_in(options.log)
    made = asyncio.run(collect(options.name, cluster, catalogs, logs))
    now = datetime.now(UTC)
    place = options.output or default_place(options.name, now)
    size = write_archive(place, f"olm-debug-{options.name}", made.files, now)
    answer(Format.TEXT, None, _told(place, len(made.files), size, made.missing))
    return ExitCode.YES


DEBUG = Command(
    name="debug",
    run=debug,
    summary="Collect what a report needs in one archive, redacted.",
    examples={
        "olm debug prometheus": "an archive in the working directory",
        "olm debug prometheus -o report.tar.gz --log controller.log": "with a log, to a place of its own",
    },
)


def _told(place: Path, files: int, size: int, missing: tuple[str, ...]) -> list[Block]:
    told: list[Block] = [Line(f"{place}: {files} files, {max(size // 1024, 1)} KiB", Tone.GOOD)]
    if missing:
        told += [Line(), Line("not in it:", Tone.DOUBTFUL), *(Line(each, indent=2) for each in missing)]
    return [*told, Line(), Line("Read it before you pass it on: no rule knows every secret.")]
