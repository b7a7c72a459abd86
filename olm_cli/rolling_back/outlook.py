"""Looks ahead: what the controller would do with the changed spec, by the same checks that it makes itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from olm_cli.asking.dependencies import needs_of
from olm_cli.cluster import connected
from olm_cli.crd_checking import Check
from olm_cli.crd_checking.upgrade import upgrade_checks
from olm_cli.granting import Source, Version, Wish, around, objects_at, read_source
from olm_cli.options import CatalogOptions, ClusterOptions
from olm_cli.problems import CannotTell, Refused
from olm_cli.rolling_back.change import Change, change_to, following
from olm_cli.rolling_back.destination import Destination, destination_named, previous
from olm_cli.rolling_back.holds import (
    Hold,
    admission_hold,
    content_hold,
    definition_holds,
    dependency_hold,
    operator_hold,
    resolution_hold,
    rights_hold,
)
from olm_cli.rolling_back.subject import Subject
from olm_cli.rolling_back.writing import write_change
from olmv1.errors import OlmError, TerminalError
from operator_controller.authorization import Account, missing_rights
from operator_controller.certificates.provider import AUTO, choose_provider
from operator_controller.renderer import Certificates
from operator_controller.resolver import Chosen, InstalledBundle, Unresolved
from operator_controller.revisions.desired import ANNOTATION_CERTIFICATES, BundleIdentity
from operator_controller.target import additions_of, for_bundle

__all__ = ["Outlook", "outlook_on"]


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What a rollback of `subject` comes to.

    `checks` are those of the definitions, `None` when they were not looked at. `unknown` says what could not be looked
    at. `later` is what the extension gets when it has the bundle and asks again for what it asks for now.
    """

    subject: Subject
    destination: Destination
    change: Change
    holds: tuple[Hold, ...]
    later: Chosen | Unresolved
    checks: tuple[Check, ...] | None = None
    unknown: tuple[str, ...] = ()

    @property
    def installed(self) -> InstalledBundle | None:
        """The bundle that is installed now."""
        return self.subject.asked.request.installed

    @property
    def identity(self) -> BundleIdentity:
        """The bundle that it goes to, as a revision records it."""
        bundle, package = self.destination.bundle, self.subject.asked.request.package
        return BundleIdentity(package, bundle.name, bundle.version, bundle.release, bundle.image, bundle.catalog)

    @property
    def chosen(self) -> Chosen | None:
        """The catalog's bundle that would be installed."""
        answer = self.change.answer
        return answer if isinstance(answer, Chosen) and self.change.reaches(self.destination.bundle) else None


async def outlook_on(subject: Subject, to: str | None, catalogs: CatalogOptions, cluster: ClusterOptions) -> Outlook:
    """The outlook on going to the bundle that `to` names, else to the one before.

    Raises:
        NotThere: there is none before.
        BadInput: `to` names no bundle.
        CannotTell: a catalog cannot be read that may have the bundle.
    """
    asked = subject.asked
    if to is None:
        destination = previous(subject.ext.name, subject.revisions)
    else:
        destination = destination_named(to, asked.request.package, asked.contents)
    change = change_to(destination.bundle, asked.request, subject.catalog_spec, asked.contents)
    later = following(destination.bundle, asked.request, asked.contents)
    hold = resolution_hold(subject.ext.name, change, destination.bundle)
    if hold is not None:
        if isinstance(change.answer, Unresolved) and change.answer.problem_catalogs:
            raise CannotTell(change.answer.message)
        return Outlook(subject, destination, change, (hold,), later)
    outlook = Outlook(subject, destination, change, (), later)
    return await _judged(outlook, catalogs.pull_cas_dir, cluster)


async def _judged(outlook: Outlook, pull_cas_dir: Path | None, cluster: ClusterOptions) -> Outlook:
    """With everything that needs the content of the bundle and the cluster."""
    subject, destination = outlook.subject, outlook.destination
    needs = await needs_of(replace(subject.asked, request=outlook.change.request), outlook.change.answer)
    found = [operator_hold(subject, destination.bundle), dependency_hold(subject, needs)]
    holds, unknown = [each for each in found if each is not None], list[str]()
    holds += await _admission(outlook, cluster)
    checks: tuple[Check, ...] | None = None
    try:
        version = await _version(outlook, pull_cas_dir)
        checks = await _checks(subject, version, cluster)
        holds += definition_holds(subject, checks)
        holds += await _rights(subject, version, cluster)
    except OlmError as error:
        # Commands that only read call a bundle that is broken "cannot tell".
        cause = error if isinstance(error, TerminalError) else error.__cause__
        if isinstance(cause, TerminalError):
            holds.append(content_hold(for_bundle(outlook.identity, cause)))
        else:
            unknown.append(str(error))
    return replace(outlook, holds=tuple(holds), checks=checks, unknown=tuple(unknown))


async def _version(outlook: Outlook, pull_cas_dir: Path | None) -> Version:
    """The objects of the bundle, made as the controller makes them."""
    chosen, subject = outlook.chosen, outlook.subject
    if chosen is None or not chosen.bundle.image:
        raise CannotTell(f'bundle "{outlook.destination.bundle.name}": its catalog names no image')
    spec, served = subject.ext.spec, subject.neighbours.served
    base = subject.installed
    recorded = "" if base is None else base.annotations.get(ANNOTATION_CERTIFICATES, "")
    additions = additions_of(subject.annotations, {})
    wish = Wish(
        extension=subject.ext.name,
        namespace=spec.namespace,
        config=None if spec.config is None else spec.config.inline,
        certificates=Certificates(recorded) if recorded in set(Certificates) else choose_provider(AUTO, served),
        api_roles=additions.has_api_roles,
        ignore_hooks=additions.ignores_hooks,
        served=served,
    )
    source = Source(f"docker://{chosen.bundle.image}", str(chosen.version.version), pull_cas_dir)
    return await objects_at(await read_source(source), wish)


async def _checks(subject: Subject, version: Version, options: ClusterOptions) -> tuple[Check, ...]:
    async with connected(options) as client:
        return await upgrade_checks(client, subject.ext, version.objects)


async def _rights(subject: Subject, version: Version, options: ClusterOptions) -> Sequence[Hold]:
    """What the account of the extension lacks for the bundle."""
    account = subject.ext.spec.service_account.name
    if account is None:
        return ()
    async with around(options, is_asked=True, is_needed=True) as known:
        kinds = await known.kinds_of(version.objects)
        missing = missing_rights(version.objects, Account(subject.ext.spec.namespace, account), known.rbac, kinds)
    hold = rights_hold(subject, version.version, missing.rules)
    return () if hold is None else (hold,)


async def _admission(outlook: Outlook, cluster: ClusterOptions) -> Sequence[Hold]:
    """Why the change itself is not admitted, of this user or of anybody."""
    if not outlook.change.fields:
        return ()
    try:
        await write_change(outlook.subject.manifest, outlook.change.patch, cluster, is_rehearsal=True)
    except Refused as error:
        return (admission_hold(str(error)),)
    return ()
