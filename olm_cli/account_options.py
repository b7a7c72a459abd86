"""The options of `olm rbac`: what is installed, by which account, and what is done about its rights."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from olm_cli.options import Provider

__all__ = ["AccountOptions", "Grants"]


class Grants(StrEnum):
    """How the account gives rights to the operator."""

    HOLD = "hold"
    ESCALATE = "escalate"


@dataclass(frozen=True, slots=True)
class AccountOptions:
    """What is installed, by which account, and what is done about it."""

    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="PACKAGE|BUNDLE", help="A package of the catalogs, or the directory or image of a bundle."
        ),
    ] = None
    extension: Annotated[
        str | None,
        typer.Option("--extension", metavar="NAME", help="The ClusterExtension; else called as its package."),
    ] = None
    namespace: Annotated[
        str | None,
        typer.Option("-n", "--namespace", metavar="NS", help="Where it is installed; else <extension>-system."),
    ] = None
    service_account: Annotated[
        str | None,
        typer.Option("--service-account", metavar="NAME", help="Its account there; else <extension>-installer."),
    ] = None
    cert_provider: Annotated[
        Provider,
        typer.Option("--cert-provider", help="Who makes the certificates of webhooks; auto as the controller chooses."),
    ] = Provider.AUTO
    grants: Annotated[
        Grants,
        typer.Option(
            "--grants",
            help="hold: the account has every right that it gives to the operator; escalate: it may write exactly "
            "these roles, whatever is in them.",
        ),
    ] = Grants.HOLD
    upgrades: Annotated[
        bool,
        typer.Option("--upgrades", help="Also for the upgrades from the installed bundle, and all in --version RANGE."),
    ] = False
    diff: Annotated[bool, typer.Option("--diff", help="Tell what the account lacks on the cluster.")] = False
    surplus: Annotated[
        bool, typer.Option("--surplus", help="With --diff: also what was given to the account and is not needed.")
    ] = False
    apply: Annotated[bool, typer.Option("--apply", help="Apply the manifests to the cluster.")] = False
    for_users: Annotated[
        bool, typer.Option("--for-users", help="Write the roles for users of the provided APIs instead.")
    ] = False
