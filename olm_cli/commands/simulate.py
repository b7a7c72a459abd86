"""`olm simulate`: what becomes of every extension when one catalog takes the place of another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from olm_cli.command import Command
from olm_cli.kube_version import given_kube_version
from olm_cli.options import CatalogOptions, ClusterOptions, OutputOptions
from olm_cli.output import answer
from olm_cli.problems import ExitCode

if TYPE_CHECKING:
    from operator_controller.simulation import Outlook

__all__ = ["SIMULATE"]

_CLUSTER = "cluster"


@dataclass(frozen=True, slots=True)
class ReplacementOptions:
    """Which catalog goes, which comes, and who depends on it."""

    origin: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="[NAME=]DIR|FILE|IMAGE",
            help="The catalog that is replaced; NAME is what the cluster calls it.",
        ),
    ]
    destination: Annotated[
        str, typer.Option("--to", metavar="DIR|FILE|IMAGE", help="The catalog that takes its place and its name.")
    ]
    extensions: Annotated[
        str,
        typer.Option(
            "--extensions",
            metavar="FILE|cluster",
            help="ClusterExtensions as YAML or JSON, - for standard input; without it those of the cluster.",
        ),
    ] = _CLUSTER
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version", metavar="VERSION", help="The Kubernetes version to fit; else that of the cluster."
        ),
    ] = None


def simulate(
    *, replacement: ReplacementOptions, catalogs: CatalogOptions, cluster: ClusterOptions, output: OutputOptions
) -> ExitCode:
    """Tell what becomes of extensions when one catalog takes the place of another; nothing is changed.

    For every extension: what it is upgraded to and where that ends, whether it is stranded because no bundle fits any
    more, whether it becomes deprecated, and whether it changes its catalog. Catalogs that stay are named with
    --catalog. The exit code is 0 when every extension has an answer, 1 when one is stranded or blocked, 2 when the
    input is wrong, 3 when a catalog or the cluster cannot be read.
    """
    outlooks = asyncio.run(_simulate(replacement, catalogs, cluster))
    from olm_cli.simulating import blocks_of  # noqa: PLC0415 - `olm --help` needs no resolver

    answer(output.output, [each.to_json() for each in outlooks], blocks_of(outlooks))
    if any(each.verdict.is_bad for each in outlooks):
        return ExitCode.NO
    from operator_controller.simulation import Verdict  # noqa: PLC0415

    return ExitCode.CANNOT_TELL if any(each.verdict is Verdict.UNKNOWN for each in outlooks) else ExitCode.YES


SIMULATE = Command(
    name="simulate",
    run=simulate,
    summary="Tell what a new catalog does to the extensions.",
    examples={
        "olm simulate --from quay.io/example/catalog:v1 --to quay.io/example/catalog:v2": (
            "what the extensions of the cluster get from the new catalog image"
        ),
        "olm simulate --from ./v1 --to ./v2 --extensions extensions.yaml": "without a cluster, for a pipeline",
        "kubectl get clusterextensions -o json | olm simulate --from old=./v1 --to ./v2 --extensions -": (
            "extensions from standard input; the cluster calls the catalog old"
        ),
    },
)


async def _simulate(
    replacement: ReplacementOptions, catalogs: CatalogOptions, cluster: ClusterOptions
) -> Sequence[Outlook]:
    from olm_cli.simulating import extensions_in_file, extensions_of_cluster, opened_pairs  # noqa: PLC0415
    from operator_controller.simulation import Subject  # noqa: PLC0415
    from operator_controller.simulation import simulate as simulated  # noqa: PLC0415

    given = given_kube_version(replacement.kube_version)
    if replacement.extensions == _CLUSTER:
        extensions = await extensions_of_cluster(cluster)
    else:
        extensions = extensions_in_file(replacement.extensions)
    found: list[Outlook] = []
    async with opened_pairs(replacement.origin, replacement.destination, catalogs, cluster) as pairs:
        for each in extensions.found:
            request = replace(each.subject.request, kube_version=given or extensions.kube_version)
            before, after = await pairs.seen_by(each.selector, request.package)
            found.append(simulated(Subject(each.subject.name, request), before, after))
    return found
