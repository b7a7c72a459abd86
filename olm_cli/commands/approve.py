"""`olm approve NAME`: let a waiting upgrade go."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import ClusterOptions, OutputOptions
from olm_cli.output import Line, Tone, answer
from olm_cli.problems import ExitCode

if TYPE_CHECKING:
    from olm_cli.planning import Approval

__all__ = ["APPROVE"]


@dataclass(frozen=True, slots=True)
class ApproveOptions:
    """Which upgrade may go."""

    name: Annotated[str, typer.Argument(metavar="NAME", help="The ClusterExtension.")]
    plan: Annotated[
        str | None,
        typer.Option("--plan", metavar="HASH", help="Only if it is this plan that waits, as olm plan has shown it."),
    ] = None


def approve(options: ApproveOptions, *, cluster: ClusterOptions, output: OutputOptions) -> ExitCode:
    """Approve the upgrade that an extension waits with, and no other.

    Writes the hash that the condition UpgradePending names into the annotation approve. When the bundle, its rendering
    or what is found in CRDs changes before the upgrade begins, the approval no longer fits, and the extension waits
    again. Look at the plan first: olm plan NAME.

    The exit code is 0 when it is approved, 1 when nothing waits, another plan does, or you may not; 2 when the input is
    wrong; 3 when the cluster does not answer.
    """
    approval = asyncio.run(_approve(options, cluster))
    document = {
        "extension": approval.extension,
        "plan": approval.plan,
        "message": approval.message,
        "isNew": approval.is_new,
    }
    text = f"plan {approval.plan} is approved" if approval.is_new else f"plan {approval.plan} was approved already"
    answer(output.output, document, [Line(text, Tone.GOOD)])
    return ExitCode.YES


APPROVE = Command(
    name="approve",
    run=approve,
    summary="Approve an upgrade that waits.",
    examples={
        "olm approve prometheus --plan HASH": "the plan that olm plan has shown; refused when it has changed",
        "olm approve prometheus": "whatever waits now",
    },
)


async def _approve(options: ApproveOptions, cluster: ClusterOptions) -> Approval:
    from olm_cli.planning.writing import approve_plan  # noqa: PLC0415 - a Kubernetes client comes with it

    return await approve_plan(options.name, options.plan, cluster)
