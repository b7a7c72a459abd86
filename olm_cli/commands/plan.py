"""`olm plan NAME`: what the next upgrade of an extension would change, and the hash that approves it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import answer
from olm_cli.problems import ExitCode
from olm_cli.wanted import Policy, WantedOptions

if TYPE_CHECKING:
    from olm_cli.planning import Outlook

__all__ = ["PLAN"]


@dataclass(frozen=True, slots=True)
class PlanOptions:
    """Whose upgrade is looked at, and at what length."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="The ClusterExtension.")]
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="RANGE", help="As if the spec asked for this version or range."),
    ] = None
    channel: Annotated[
        list[str], typer.Option("--channel", metavar="NAME", help="As if the spec named this channel; several times.")
    ] = field(default_factory=list)
    policy: Annotated[
        Policy | None, typer.Option("--policy", help="As if the spec had this upgradeConstraintPolicy.")
    ] = None
    is_whole: Annotated[bool, typer.Option("--all", help="Show every field that changes, not only the first.")] = False


def plan(options: PlanOptions, *, catalogs: CatalogOptions, cluster: ClusterOptions, output: OutputOptions) -> ExitCode:
    """Show what the next upgrade of an extension changes, before it happens: objects, rights, images, webhooks, CRDs.

    The bundle is chosen, pulled and rendered as the controller does it, and compared with what is installed. The hash
    of the plan covers the objects, the digest of the image and what is found in CRDs: an extension that is annotated
    with upgrade-policy Manual or ZStream waits until its hash is approved with olm approve. Rights that could lead to
    others are marked: wildcards, escalate, impersonate, secrets. Nothing is changed.

    The exit code is 0 when there is nothing to approve or to do, 1 when an upgrade waits or is blocked, 2 when the
    input is wrong, 3 when the cluster, a catalog or the registry does not answer.
    """
    outlook = asyncio.run(_plan(options, catalogs, cluster))
    from olm_cli.planning import blocks_of, document_of  # noqa: PLC0415 - `olm --help` needs no resolver

    answer(output.output, document_of(outlook), blocks_of(outlook, is_whole=options.is_whole))
    return ExitCode.YES if outlook.state.is_good else ExitCode.NO


PLAN = Command(
    name="plan",
    run=plan,
    summary="Show what the next upgrade of an extension changes.",
    examples={
        "olm plan prometheus": "what waits, and the hash to approve it with",
        "olm plan prometheus --version 2.0.0 --all": "what another version would change, with every field",
        "olm plan prometheus -o json": "for a script; exit code 1 while something waits or is blocked",
    },
)


async def _plan(options: PlanOptions, catalogs: CatalogOptions, cluster: ClusterOptions) -> Outlook:
    from olm_cli.planning import outlook_on, subject_named  # noqa: PLC0415

    wanted = WantedOptions(version=options.version, channel=options.channel, policy=options.policy)
    subject = await subject_named(options.name, wanted, catalogs, cluster)
    return await outlook_on(subject, cluster, catalogs.pull_cas_dir)
