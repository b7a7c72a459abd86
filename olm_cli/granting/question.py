"""What `olm rbac` is asked, and the way from there to bundles and the rights for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from olm_cli.account_options import AccountOptions
from olm_cli.granting.account import Plan, plan_of
from olm_cli.granting.around import Around
from olm_cli.granting.objects import Read, Wish, objects_at
from olm_cli.granting.packages import Source, sources_in_catalogs
from olm_cli.options import CatalogOptions, ClusterOptions, ConfigurationOptions
from olm_cli.output import say
from olm_cli.problems import BadInput, CannotTell
from olm_cli.rendering.inputs import configuration_of
from olm_cli.wanted import WantedOptions
from operator_controller.authorization import Account, Installer
from operator_controller.certificates.provider import choose_provider

__all__ = ["Asked", "plan_asked", "sources_asked", "wish_asked"]


@dataclass(frozen=True, slots=True)
class Asked:
    """The command line."""

    account: AccountOptions
    wanted: WantedOptions
    catalogs: CatalogOptions
    cluster: ClusterOptions
    configuration: ConfigurationOptions

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


async def sources_asked(asked: Asked, cluster: Around) -> Sequence[Source]:
    """Where the bundles are: the one that is named, or those of the package.

    Raises:
        NotThere, BadInput, CannotTell: as `sources_in_catalogs`; BadInput also for options that need a package.
    """
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
    found = await sources_in_catalogs(
        asked.subject, wanted, asked.catalogs, asked.cluster, upgrades=asked.account.upgrades
    )
    if asked.account.apply and not asked.account.upgrades:
        await _warn_of_what_goes(asked, cluster, found)
    return found


async def _warn_of_what_goes(asked: Asked, cluster: Around, found: Sequence[Source]) -> None:
    """Applying replaces the roles: with them goes the right to remove what only the installed bundle has."""
    try:
        installed = await cluster.installed(asked.account.extension or asked.subject, asked.subject)
    except CannotTell:
        return  # who may write rights need not be allowed to read extensions
    if installed is not None and installed not in {each.bundle for each in found}:
        text = f'bundle "{installed}" is installed, and its account loses the rights that only this one needs'
        say(f"warning: {text}, also to remove its objects; --upgrades keeps them")


async def plan_asked(asked: Asked, contents: Sequence[Read], cluster: Around) -> Plan:
    """The rights for the bundles in question; warnings about them are said.

    Raises:
        TerminalError, CannotTell: as `objects_at` and `plan_of`.
    """
    wish = wish_asked(asked, contents[-1], cluster)
    versions = [await objects_at(each, wish) for each in contents]
    for warning in dict.fromkeys(warning for version in versions for warning in version.warnings):
        say(f"warning: {warning}")
    name = asked.account.service_account or f"{wish.extension}-installer"
    return await plan_of(Installer(wish.extension, Account(wish.namespace, name)), versions, cluster)


def wish_asked(asked: Asked, content: Read, cluster: Around) -> Wish:
    """What the extension would say about the bundle. Raises: BadInput."""
    account = asked.account
    extension = account.extension or content.package
    config = configuration_of(asked.configuration.config, asked.configuration.watch_namespace)
    if config is not None and not isinstance(config, Mapping):
        raise BadInput(f"--config {asked.configuration.config}: expected an object")
    return Wish(
        extension=extension,
        namespace=account.namespace or f"{extension}-system",
        config=config,
        certificates=choose_provider(account.cert_provider.value, cluster.served),
        api_roles=asked.configuration.api_roles,
        served=cluster.served,
    )
