"""`olm check-upgrade`: whether the extensions let the cluster go to its next version, and what to do if they do not."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import answer
from olm_cli.problems import BadInput, ExitCode

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from olm_cli.catalogs import Catalog
    from olm_cli.upgrading import Snapshot
    from operator_controller.upgrade_plan import UpgradePlan

__all__ = ["CHECK_UPGRADE"]


@dataclass(frozen=True, slots=True)
class GoalOptions:
    """Where the cluster is to go, and where its objects are."""

    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="X.Y|kubernetes=X.Y",
            help="The minor version to go to, not necessarily the next one; without it the next one.",
        ),
    ] = ""
    dump: Annotated[
        str | None,
        typer.Option(
            "--from-dump",
            metavar="FILE|DIR",
            help="Read the objects from YAML or JSON instead of the cluster; - for standard input.",
        ),
    ] = None
    bundle_dir: Annotated[
        list[Path],
        typer.Option(
            "--bundle-dir",
            metavar="DIR",
            help="Judge this bundle instead of what a cluster has; may be given several times.",
        ),
    ] = field(default_factory=list)
    is_strict: Annotated[bool, typer.Option("--strict", help="Count advisories as a no as well: exit code 1.")] = False


def check_upgrade(
    *, goal: GoalOptions, catalogs: CatalogOptions, cluster: ClusterOptions, output: OutputOptions
) -> ExitCode:
    """Tell whether the extensions allow an upgrade of the cluster, and the way out for those that forbid it.

    An extension forbids the upgrade when its bundle declares a highest version of OpenShift (olm.maxOpenShiftVersion)
    below the target. For each that does, the first later bundle is named that does not, with its catalog, its channel,
    the upgrades that lead there, and what must be changed at the extension for it. Advisories speak against an upgrade
    without forbidding it: the range that a bundle is published for, the Kubernetes that it needs, and objects of APIs
    that Kubernetes no longer has. Nothing is changed.

    The exit code is 0 when the cluster may be upgraded, 1 when an extension forbids it, 2 for bad input, and 3 when
    nobody can tell.
    """
    plan = asyncio.run(_plan(goal, catalogs, cluster))
    from olm_cli.upgrading import blocks_of  # noqa: PLC0415 - `olm --help` needs no resolver
    from operator_controller.upgrade_plan import Answer  # noqa: PLC0415

    answer(output.output, plan.to_json(), blocks_of(plan))
    codes = {Answer.OK: ExitCode.YES, Answer.BLOCKED: ExitCode.NO, Answer.UNKNOWN: ExitCode.CANNOT_TELL}
    return codes[plan.answer]


CHECK_UPGRADE = Command(
    name="check-upgrade",
    run=check_upgrade,
    summary="Tell whether extensions allow an upgrade of the cluster.",
    examples={
        "olm check-upgrade": "may this cluster go to its next minor version?",
        "olm check-upgrade --target 4.20 -o json": "to a later version, for a script; exit code 1 means no",
        "olm check-upgrade --target kubernetes=1.36 --strict": "1 if an object needs an API that 1.36 does not have",
        "olm check-upgrade --from-dump must-gather/ --catalog quay.io/example/catalog:v4.20": (
            "without a cluster, with ways out from another catalog"
        ),
        "olm check-upgrade --bundle-dir ./bundle --target 4.20": "a bundle before it is published",
        "kubectl get clusterextensions,clusterobjectsets,clusterversions -o json | olm check-upgrade --from-dump -": (
            "from standard input"
        ),
    },
)


async def _plan(goal: GoalOptions, catalogs: CatalogOptions, cluster: ClusterOptions) -> UpgradePlan:
    from olm_cli.upgrading import subjects_of, subjects_of_bundles  # noqa: PLC0415 - `olm --help` needs no resolver
    from operator_controller.upgrade_plan import goal_of, plan_of  # noqa: PLC0415

    if goal.bundle_dir and goal.dump is not None:
        raise BadInput("--bundle-dir and --from-dump exclude each other: drop one of them")
    snapshot = await _snapshot(goal, cluster)
    found = goal_of(goal.target, snapshot.facts)
    is_living = goal.dump is None and not goal.bundle_dir
    needs_catalogs = bool(catalogs.catalog) or (is_living and bool(snapshot.extensions))
    async with _opened(catalogs, cluster) if needs_catalogs else nullcontext(()) as places:
        if goal.bundle_dir:
            subjects = await subjects_of_bundles(goal.bundle_dir, places)
        else:
            are_of_cluster, has_objects = is_living and not catalogs.catalog, found.kubernetes is not None
            subjects = await subjects_of(snapshot, places, are_of_cluster=are_of_cluster, has_objects=has_objects)
    return await asyncio.to_thread(plan_of, subjects, found, is_strict=goal.is_strict)


async def _snapshot(goal: GoalOptions, cluster: ClusterOptions) -> Snapshot:
    from olm_cli.upgrading import Snapshot, snapshot_of_dump  # noqa: PLC0415

    if goal.bundle_dir:
        return Snapshot()
    return await _living(cluster) if goal.dump is None else snapshot_of_dump(goal.dump)


async def _living(cluster: ClusterOptions) -> Snapshot:
    from olm_cli.upgrading.living import snapshot_of_cluster  # noqa: PLC0415 - a Kubernetes client comes with it

    return await snapshot_of_cluster(cluster)


def _opened(catalogs: CatalogOptions, cluster: ClusterOptions) -> AbstractAsyncContextManager[tuple[Catalog, ...]]:
    from olm_cli.catalogs import opened  # noqa: PLC0415

    return opened(catalogs, cluster)
