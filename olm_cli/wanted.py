"""The options that say what is asked of a package: `olm resolve` and `olm explain` share them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated

import typer

__all__ = ["Policy", "WantedOptions"]


class Policy(StrEnum):
    """`spec.source.catalog.upgradeConstraintPolicy`."""

    CATALOG_PROVIDED = "CatalogProvided"
    SELF_CERTIFIED = "SelfCertified"


@dataclass(frozen=True, slots=True)
class WantedOptions:
    """What a ClusterExtension says in `spec.source.catalog`, what it has already, and where it runs."""

    package: Annotated[str | None, typer.Option("-p", "--package", metavar="PACKAGE", help="The package.")] = None
    version: Annotated[
        str | None,
        typer.Option("--version", metavar="RANGE", help='Version or range, such as 1.2.3, "~1.2" or ">=1 <3".'),
    ] = None
    channel: Annotated[
        list[str], typer.Option("--channel", metavar="NAME", help="Only this channel; may be given several times.")
    ] = field(default_factory=list)
    policy: Annotated[
        Policy | None,
        typer.Option(
            "--policy",
            help="SelfCertified allows upgrades that no edge of the catalog offers; without it CatalogProvided.",
        ),
    ] = None
    installed: Annotated[
        str | None,
        typer.Option(
            "--installed",
            metavar="NAME|VERSION[/RELEASE]",
            help="What is installed now: the answer is then an upgrade.",
        ),
    ] = None
    kube_version: Annotated[
        str | None,
        typer.Option(
            "--kube-version",
            metavar="VERSION",
            help="The Kubernetes version to fit; else that of the cluster whose catalogs are used.",
        ),
    ] = None
