"""Which bundle a rollback goes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from olm_cli.installed import installed_bundle
from olm_cli.problems import NotThere
from olm_cli.rolling_back.change import Contents
from operator_controller.explanation.reading import indexes_of
from operator_controller.resolver import InstalledBundle
from operator_controller.revisions.view import RevisionView, active

__all__ = ["Destination", "destination_named", "previous", "recorded_bundle"]


@dataclass(frozen=True, slots=True)
class Destination:
    """A bundle as its revision recorded it, or as a catalog has it; `origin` says in a few words why it is this one."""

    bundle: InstalledBundle
    origin: str


def previous(extension: str, revisions: Iterable[RevisionView]) -> Destination:
    """The bundle of the last successful revision before the newest one that brings another bundle than that.

    While an upgrade is rolling out this is what is installed: the upgrade is given up.

    Raises:
        NotThere: there is none.
    """
    ordered = sorted(revisions, key=lambda each: each.number)
    newest = next(iter(active(ordered)[-1:]), None)
    if newest is None:
        raise NotThere(f'ClusterExtension "{extension}" has no active revision: there is nothing to go back from')
    for each in reversed(ordered):
        is_other = each.bundle.is_same_as != newest.bundle.is_same_as
        if each.number < newest.number and each.has_succeeded and is_other:
            return Destination(recorded_bundle(each), f"revision {each.name}, the last one that succeeded before")
    raise NotThere(
        f'ClusterExtension "{extension}" has no revision with another bundle that succeeded before '
        f'"{newest.bundle.name}": name the version to go to with --to VERSION'
    )


def destination_named(text: str, package: str, contents: Contents) -> Destination:
    """The bundle that `--to` names by version or name.

    Raises:
        BadInput: it is neither, or it means several bundles.
    """
    return Destination(installed_bundle(text, package, indexes_of(contents), option="--to"), "as asked for")


def recorded_bundle(revision: RevisionView) -> InstalledBundle:
    """The bundle of a revision as the resolver knows it."""
    bundle = revision.bundle
    return InstalledBundle(bundle.name, bundle.version, bundle.release, bundle.image, bundle.catalog)
