"""`olm rbac`: the rights that the service account of an extension needs, written, compared or applied."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from olm_cli.account_options import AccountOptions
from olm_cli.command import Command
from olm_cli.options import CatalogOptions, ClusterOptions, ConfigurationOptions, Format, OutputOptions
from olm_cli.output import answer, answer_text, say
from olm_cli.problems import BadInput, ExitCode
from olm_cli.wanted import WantedOptions

if TYPE_CHECKING:
    from olm_cli.granting import Around, Plan, Read
    from olm_cli.granting.question import Asked

__all__ = ["RBAC"]

_NAMESPACE = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")
_NAME = re.compile(r"[a-z0-9](?:[-.a-z0-9]{0,251}[a-z0-9])?")


def rbac(  # noqa: PLR0913 - every group of options is one value
    *,
    account: AccountOptions,
    configuration: ConfigurationOptions,
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
    from olm_cli.granting.question import Asked  # noqa: PLC0415 - `olm --help` needs no renderer

    return asyncio.run(_rbac(Asked(account, wanted, catalogs, cluster, configuration), output.output))


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


async def _rbac(asked: Asked, form: Format) -> ExitCode:
    from olm_cli.granting import around, read_source  # noqa: PLC0415 - as above
    from olm_cli.granting.question import plan_asked, sources_asked  # noqa: PLC0415

    if not asked.subject:
        raise BadInput("which package or bundle? name it: olm rbac PACKAGE|BUNDLE")
    async with around(asked.cluster, is_asked=asked.needs_cluster, is_needed=asked.account.diff) as cluster:
        contents = [await read_source(source) for source in await sources_asked(asked, cluster)]
        if asked.account.for_users:
            return await _write_for_users(asked, contents[-1], cluster, form)
        return await _done(asked, await plan_asked(asked, contents, cluster), form)


async def _done(asked: Asked, plan: Plan, form: Format) -> ExitCode:
    from olm_cli.granting import apply_documents, commented, compare, plain  # noqa: PLC0415
    from olm_cli.granting.printing import list_of, tell_applied  # noqa: PLC0415
    from operator_controller.authorization import Grants as How  # noqa: PLC0415

    if asked.account.diff:
        found = await compare(plan, with_surplus=asked.account.surplus)
        answer(form, found.to_json, found.blocks)
        return ExitCode.YES if found.is_enough else ExitCode.NO
    wanted = plan.wanted(How(asked.account.grants.value))
    documents = plan.documents(wanted)
    manifests = [document.manifest for document in documents]
    for warning in wanted.warnings:
        say(f"warning: {warning}")
    if asked.account.apply:
        tell_applied(form, await apply_documents(plan.around, manifests))
    elif form is Format.TEXT:
        answer_text(commented(documents, [version.version for version in plan.versions]))
    elif form is Format.YAML:
        answer_text(plain(manifests))
    else:
        answer(form, list_of(manifests), ())
    return ExitCode.YES


async def _write_for_users(asked: Asked, content: Read, cluster: Around, form: Format) -> ExitCode:
    from olm_cli.granting import plain, roles_for_users  # noqa: PLC0415
    from olm_cli.granting.printing import list_of  # noqa: PLC0415
    from olm_cli.granting.question import wish_asked  # noqa: PLC0415

    roles = await roles_for_users(content, wish_asked(asked, content, cluster))
    if form is Format.JSON:
        answer(form, list_of(roles), ())
    else:
        answer_text(plain(roles))
    if not roles:
        say(f"{content.package} {content.version} provides no API")
    return ExitCode.YES
