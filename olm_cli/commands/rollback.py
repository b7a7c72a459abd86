"""`olm rollback NAME`: back to a bundle that an extension had, with everything that follows from it told before."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, Format, OutputOptions
from olm_cli.output import answer, say
from olm_cli.problems import BadInput, ExitCode

if TYPE_CHECKING:
    from olm_cli.rolling_back import Outlook

__all__ = ["ROLLBACK"]


@dataclass(frozen=True, slots=True)
class RollbackOptions:
    """What goes back, where to, and whether it is only looked at."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="The ClusterExtension.")]
    to: Annotated[
        str | None,
        typer.Option(
            "--to",
            metavar="VERSION|BUNDLE",
            help="Where to go; else to the bundle of the last revision that succeeded before this one.",
        ),
    ] = None
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show the change and what follows; change nothing.")] = (
        False
    )
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Make the change without asking.")] = False


def rollback(
    options: RollbackOptions, *, catalogs: CatalogOptions, cluster: ClusterOptions, output: OutputOptions
) -> ExitCode:
    """Take an extension back to another version: show the change of its spec and what follows, ask, then make it.

    The version is pinned, and upgradeConstraintPolicy becomes SelfCertified where no edge of a catalog leads back;
    channels change only when they do not have the bundle. Before that the catalogs are asked, the bundle is rendered,
    and its CRDs are compared with those of the cluster and the objects that are stored. Nothing is written when
    something holds the rollback back: what that is, and what helps, is told instead. During an upgrade that does not
    come to its end this gives the upgrade up.

    The exit code is 0 when the change is made, or could be with --dry-run; 1 when something holds it back or you say
    no; 2 when the input is wrong; 3 when it cannot be told.
    """
    if options.yes and options.dry_run:
        raise BadInput("--yes and --dry-run exclude each other: drop one of them")
    return asyncio.run(_rollback(options, catalogs, cluster, output.output))


ROLLBACK = Command(
    name="rollback",
    run=rollback,
    summary="Take an extension back to the version before.",
    examples={
        "olm rollback prometheus": "show what going back to the version before means, ask, and do it",
        "olm rollback prometheus --to 1.2.3 --dry-run": "what going to 1.2.3 would mean; nothing is changed",
        "olm rollback prometheus --yes -o json": "for a script; exit code 1 means that something holds it back",
    },
)


async def _rollback(
    options: RollbackOptions, catalogs: CatalogOptions, cluster: ClusterOptions, form: Format
) -> ExitCode:
    from olm_cli.rolling_back import (  # noqa: PLC0415 - `olm --help` needs no resolver
        blocks_of,
        document_of,
        outlook_on,
        subject_named,
        write_change,
    )

    async with subject_named(options.name, catalogs, cluster) as subject:
        outlook = await outlook_on(subject, options.to, catalogs, cluster)
    is_made = False
    if form is Format.TEXT:
        answer(form, None, blocks_of(outlook))
    if _is_to_be_made(outlook, options):
        await write_change(subject.manifest, outlook.change.patch, cluster)
        is_made = True
    if form is not Format.TEXT:
        answer(form, {**document_of(outlook), "changed": is_made}, ())
    _tell(outlook, is_made=is_made)
    return _code(outlook, options, is_made=is_made)


def _is_to_be_made(outlook: Outlook, options: RollbackOptions) -> bool:
    """Whether the change is wanted; asks the person who sits there."""
    if outlook.holds or options.dry_run or not outlook.change.fields:
        return False
    if options.yes:
        return True
    if not sys.stdin.isatty():
        raise BadInput("nobody is there to be asked: make the change with --yes, or look at it with --dry-run")
    print(f"Change ClusterExtension {outlook.subject.ext.name}? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _tell(outlook: Outlook, *, is_made: bool) -> None:
    if is_made:
        say(f"changed; follow it with: olm status {outlook.subject.ext.name}")
    else:
        say("nothing was changed")


def _code(outlook: Outlook, options: RollbackOptions, *, is_made: bool) -> ExitCode:
    if outlook.holds:
        return ExitCode.NO
    if options.dry_run and outlook.unknown:
        return ExitCode.CANNOT_TELL
    return ExitCode.YES if is_made or options.dry_run or not outlook.change.fields else ExitCode.NO
