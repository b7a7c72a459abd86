"""`olm status [NAME]`: what every ClusterExtension wants, what it has, and what its conditions say."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import ClusterOptions, Format
from olm_cli.output import answer, say
from olm_cli.problems import ExitCode

__all__ = ["STATUS"]


class Width(StrEnum):
    """How the answer is printed."""

    TEXT = "text"
    WIDE = "wide"
    JSON = "json"
    YAML = "yaml"

    @property
    def form(self) -> Format:
        """The same as other commands call it."""
        return Format.TEXT if self is Width.WIDE else Format(self.value)


def status(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The ClusterExtension to look at; without it all are listed.")
    ] = None,
    *,
    cluster: ClusterOptions,
    output: Annotated[
        Width,
        typer.Option(
            "-o", "--output", help="How to print the answer; wide has more columns, and the phase of Classic."
        ),
    ] = Width.TEXT,
) -> ExitCode:
    """Show extensions: what is installed, what is wanted, and their conditions with messages.

    Of one extension also the APIs that it provides, what it requires and by whom that is met, and who needs it. With
    -o wide also the phase that OLM Classic would show: Pending, InstallReady, Installing, Succeeded, Failed, Replacing
    or Deleting.

    The exit code is 0 when every extension shown is as wanted, 1 when one is not, 3 when the controller has not said
    anything about one yet.
    """
    if name is None:
        return _all(cluster, output)
    return _one(name, cluster, output)


STATUS = Command(
    name="status",
    run=status,
    summary="Show what is installed, what is wanted, and the conditions.",
    examples={
        "olm status": "every extension of the cluster in a table, and the messages of those that are not done",
        "olm status -o wide": "the same with namespaces, revisions, possible upgrades and the phase of OLM Classic",
        "olm status prometheus": "one extension with every condition, its APIs, and who depends on it",
        "olm status prometheus -o json": "the same for a script; exit code 0 means installed and as wanted",
    },
)


def _all(cluster: ClusterOptions, output: Width) -> ExitCode:
    from olm_cli.status import overview  # noqa: PLC0415 - `olm --help` needs none of it
    from olm_cli.status.reading import read_all  # noqa: PLC0415

    documents = asyncio.run(read_all(cluster))
    if not documents and output.form is Format.TEXT:
        say("the cluster has no ClusterExtensions")
        return ExitCode.YES
    answer(output.form, documents, overview(documents, is_wide=output is Width.WIDE))
    return _code(documents)


def _one(name: str, cluster: ClusterOptions, output: Width) -> ExitCode:
    from olm_cli.notes import notes_blocks  # noqa: PLC0415 - as above
    from olm_cli.status import details  # noqa: PLC0415
    from olm_cli.status.reading import read_one  # noqa: PLC0415

    document = asyncio.run(read_one(cluster, name))
    blocks = [*details(document, is_wide=output is Width.WIDE), *notes_blocks(document["notes"])]
    answer(output.form, document, blocks)
    return _code([document])


def _code(documents: Iterable[Mapping[str, Any]]) -> ExitCode:
    """The worst one speaks for all: no is worse than unknown."""
    from olm_cli.status import State  # noqa: PLC0415 - as above

    codes = {State.NOT_DONE: ExitCode.NO, State.UNKNOWN: ExitCode.CANNOT_TELL}
    states = {State(document["state"]) for document in documents}
    return next((code for state, code in codes.items() if state in states), ExitCode.YES)
