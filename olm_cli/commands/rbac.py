"""`olm rbac`: the rights that the service account of an extension needs, written, compared or applied."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, Format, OutputOptions
from olm_cli.output import answer, answer_text, say
from olm_cli.problems import BadInput, ExitCode
from olm_cli.wanted import WantedOptions

if TYPE_CHECKING:
    from olm_cli.granting import Around, Plan, Read, Source, Wish
    from olmv1.manifests import Manifest

__all__ = ["RBAC"]

_NAMESPACE = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")
_NAME = re.compile(r"[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?")


class Grants(StrEnum):
    """How the account gives rights to the operator."""

    HOLD = "hold"
    ESCALATE = "escalate"


class Provider(StrEnum):
    """Who makes the certificates of webhooks."""

    AUTO = "auto"
    NONE = "none"
    CERT_MANAGER = "cert-manager"
    SERVICE_CA = "service-ca"
    SELF_SIGNED = "self-signed"


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
    watch_namespace: Annotated[
        str | None,
        typer.Option("--watch-namespace", metavar="NS", help="The namespace that it watches, where it must be told."),
    ] = None
    config: Annotated[
        Path | None,
        typer.Option("--config", metavar="FILE", help="Configuration in YAML or JSON, as in spec.config.inline."),
    ] = None
    cert_provider: Annotated[
        Provider,
        typer.Option("--cert-provider", help="Who makes the certificates of webhooks; auto as the controller chooses."),
    ] = Provider.AUTO
    api_roles: Annotated[
        bool, typer.Option("--api-roles", help="The extension is annotated to have roles for users of its APIs.")
    ] = False
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


def rbac(
    *,
    account: AccountOptions,
    wanted: WantedOptions,
    catalogs: CatalogOptions,
    cluster: ClusterOptions,
    output: OutputOptions,
) -> ExitCode:
    """Write the account that can install an extension, with exactly the rights that this takes.

    The rights are those of the check that the controller makes before a rollout: on each object by name, and whatever
    the objects give to others. Text is YAML with the reason for each rule, JSON a List; both are for kubectl.

    A package is taken from the catalogs as `olm resolve` does. What a bundle refers to and does not bring is looked up
    in the cluster when that is named with --kubeconfig or --context, or asked anyway.

    The exit code is 0 when the rights are written, applied, or with --diff all there; 1 when some are missing; 2 when
    the input is wrong; 3 when a bundle or the cluster cannot be read.
    """
    _require_sensible(account)
    return asyncio.run(_rbac(_Asked(account, wanted, catalogs, cluster, output.output)))


RBAC = Command(
    name="rbac",
    run=rbac,
    summary="Write the rights that the account of an extension needs.",
    examples={
        "olm rbac prometheus -n monitoring --service-account installer": "for the bundle that the extension would get",
        "olm rbac ./my-operator/1.0.0 | kubectl apply -f -": "for a directory, with an account my-operator-installer",
        'olm rbac prometheus --version "1.x" --upgrades --apply': "for every version of a range, applied at once",
        "olm rbac prometheus -n monitoring --service-account installer --diff --surplus": (
            "what the account lacks on the cluster, and what it has too much"
        ),
        "olm rbac prometheus --grants escalate": "an account that is weaker than the operator that it installs",
    },
)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The command line."""

    account: AccountOptions
    wanted: WantedOptions
    catalogs: CatalogOptions
    cluster: ClusterOptions
    form: Format

    @property
    def subject(self) -> str:
        """What is asked about."""
        return self.account.subject or self.wanted.package or ""

    @property
    def is_package(self) -> bool:
        """Whether that is the name of a package, and not the place of a bundle."""
        return not ("/" in self.subject or ":" in self.subject or Path(self.subject).exists())

    @property
    def needs_cluster(self) -> bool:
        """Whether the cluster is asked, other than for its catalogs."""
        is_named = self.cluster.kubeconfig is not None or self.cluster.context is not None
        return is_named or self.account.diff or self.account.apply or (self.is_package and not self.catalogs.catalog)


def _require_sensible(account: AccountOptions) -> None:
    for flag, value, form in (
        ("--namespace", account.namespace, _NAMESPACE),
        ("--service-account", account.service_account, _NAME),
        ("--extension", account.extension, _NAME),
    ):
        if value is not None and not form.fullmatch(value):
            raise BadInput(f"{flag} {value}: expected a name such as my-operator")
    chosen = [
        flag
        for flag, is_on in (("--diff", account.diff), ("--apply", account.apply), ("--for-users", account.for_users))
        if is_on
    ]
    if len(chosen) > 1:
        raise BadInput(f"{chosen[0]} and {chosen[1]} are two tasks: choose one")
    if account.surplus and not account.diff:
        raise BadInput("--surplus is told with --diff")


async def _rbac(asked: _Asked) -> ExitCode:
    from olm_cli.granting import around, read_source  # noqa: PLC0415 - `olm --help` needs no renderer

    if not asked.subject:
        raise BadInput("which package or bundle? name it: olm rbac PACKAGE|BUNDLE")
    async with around(asked.cluster, is_asked=asked.needs_cluster, is_needed=asked.account.diff) as cluster:
        contents = [await read_source(source) for source in await _sources(asked, cluster)]
        if asked.account.for_users:
            return await _write_for_users(asked, contents[-1], cluster)
        return await _done(asked, await _plan(asked, contents, cluster))


async def _sources(asked: _Asked, cluster: Around) -> Sequence[Source]:
    from olm_cli.granting import Source, sources_in_catalogs  # noqa: PLC0415 - `olm --help` needs no resolver

    if not asked.is_package:
        for flag, is_given in (("--upgrades", asked.account.upgrades), ("--version", asked.wanted.version is not None)):
            if is_given:
                raise BadInput(f"{flag} is for a package of the catalogs, and {asked.subject} is a bundle")
        return [Source(asked.subject, pull_cas_dir=asked.catalogs.pull_cas_dir)]
    wanted = asked.wanted
    if asked.account.upgrades and not wanted.installed:
        wanted = replace(
            wanted, installed=await cluster.installed(asked.account.extension or asked.subject, asked.subject)
        )
    return await sources_in_catalogs(
        asked.subject, wanted, asked.catalogs, asked.cluster, upgrades=asked.account.upgrades
    )


async def _plan(asked: _Asked, contents: Sequence[Read], cluster: Around) -> Plan:
    from olm_cli.granting import Installer, objects_at, plan_of  # noqa: PLC0415
    from operator_controller.authorization import Account  # noqa: PLC0415

    wish = _wish(asked, contents[-1], cluster)
    versions = [await objects_at(each, wish) for each in contents]
    for warning in dict.fromkeys(warning for version in versions for warning in version.warnings):
        say(f"warning: {warning}")
    name = asked.account.service_account or f"{wish.extension}-installer"
    return await plan_of(Installer(wish.extension, Account(wish.namespace, name)), versions, cluster)


def _wish(asked: _Asked, content: Read, cluster: Around) -> Wish:
    from olm_cli.granting import Wish  # noqa: PLC0415 - as above
    from olm_cli.rendering.inputs import configuration_of  # noqa: PLC0415
    from operator_controller.certificates.provider import choose_provider  # noqa: PLC0415

    account = asked.account
    extension = account.extension or content.package
    config = configuration_of(account.config, account.watch_namespace)
    if config is not None and not isinstance(config, Mapping):
        raise BadInput(f"--config {account.config}: expected an object")
    return Wish(
        extension=extension,
        namespace=account.namespace or f"{extension}-system",
        config=config,
        certificates=choose_provider(account.cert_provider.value, cluster.served),
        api_roles=account.api_roles,
        served=cluster.served,
    )


async def _done(asked: _Asked, plan: Plan) -> ExitCode:
    from olm_cli.granting import apply_documents, commented, compare, plain  # noqa: PLC0415
    from operator_controller.authorization import Grants as How  # noqa: PLC0415

    if asked.account.diff:
        found = await compare(plan, with_surplus=asked.account.surplus)
        answer(asked.form, found.to_json, found.blocks)
        return ExitCode.YES if found.is_enough else ExitCode.NO
    wanted = plan.wanted(How(asked.account.grants.value))
    documents = plan.documents(wanted)
    manifests = [document.manifest for document in documents]
    for warning in wanted.warnings:
        say(f"warning: {warning}")
    if asked.account.apply:
        _tell(asked.form, await apply_documents(plan.around, manifests))
    elif asked.form is Format.TEXT:
        answer_text(commented(documents, [version.version for version in plan.versions]))
    elif asked.form is Format.YAML:
        answer_text(plain(manifests))
    else:
        answer(asked.form, _list(manifests), ())
    return ExitCode.YES


def _tell(form: Format, applied: Sequence[tuple[Manifest, bool]]) -> None:
    from olm_cli.output import Line, Tone  # noqa: PLC0415 - beside the rest of what is imported late
    from olmv1.manifests import key_of  # noqa: PLC0415

    rows = [(key_of(manifest), "created" if created else "applied") for manifest, created in applied]
    document = [
        {"kind": key.kind, "namespace": key.namespace, "name": key.name, "result": result} for key, result in rows
    ]
    lines = [
        Line(f"{key.kind} {'/'.join(filter(None, (key.namespace, key.name)))} {result}", Tone.GOOD)
        for key, result in rows
    ]
    answer(form, document, lines)


async def _write_for_users(asked: _Asked, content: Read, cluster: Around) -> ExitCode:
    from olm_cli.granting import plain, roles_for_users  # noqa: PLC0415

    roles = await roles_for_users(content, _wish(asked, content, cluster))
    if asked.form is Format.JSON:
        answer(asked.form, _list(roles), ())
    else:
        answer_text(plain(roles))
    if not roles:
        say(f"{content.package} {content.version} provides no API")
    return ExitCode.YES


def _list(manifests: Sequence[Manifest]) -> Mapping[str, Any]:
    return {"apiVersion": "v1", "kind": "List", "items": list(manifests)}
