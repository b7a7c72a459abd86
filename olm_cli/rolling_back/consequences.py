"""What follows from a rollback, one sentence each. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from olm_cli.rolling_back.managers import managers_of
from olm_cli.rolling_back.outlook import Outlook
from olmv1.manifests import is_deleting
from operator_controller.approval import needs_approval, policy_of
from operator_controller.resolver import Chosen
from operator_controller.target import is_paused

__all__ = ["consequences_of", "later_text"]


def consequences_of(outlook: Outlook) -> Iterator[str]:
    """The sentences, the most important ones first; none when the bundle cannot be had."""
    chosen = outlook.chosen
    if chosen is None:
        return
    yield from _installed(outlook, chosen)
    fields = {each.name for each in outlook.change.fields}
    if outlook.change.request.is_self_certified and "upgradeConstraintPolicy" in fields:
        yield "no edge of a catalog leads there: SelfCertified says that you vouch for the step"
    if "channels" in fields:
        yield "the channels that it asks for do not have the bundle: they change as well"
    yield from chosen.deprecations.about(outlook.change.request.channels, chosen.bundle.name).all
    yield from (note.message for note in chosen.notes)
    yield from _circumstances(outlook, chosen)
    managers = managers_of(outlook.subject.manifest, fields)
    if managers:
        yield f"{', '.join(managers)} applies these fields as well: change them there, or they may be set back"


def later_text(outlook: Outlook) -> str:
    """What becomes of the extension on the way back to following, as the catalogs are now."""
    later, bundle = outlook.later, outlook.destination.bundle
    if not isinstance(later, Chosen):
        return f"it is then refused, as the catalogs are now: {later.message}"
    if later.is_installed:
        return f"it then stays on {bundle.name}, as the catalogs are now"
    return f"it then goes on to {later.bundle.name}, as the catalogs are now"


def _installed(outlook: Outlook, chosen: Chosen) -> Iterator[str]:
    if chosen.is_installed:
        yield f"{chosen.bundle.name} stays installed; whatever is rolling out is given up"
    else:
        origin = f", from {chosen.bundle.image}" if chosen.bundle.image else ""
        yield f"{chosen.bundle.name} of catalog {chosen.catalog} is installed{origin}"
    pin = outlook.change.request.range_text
    yield f"it stays there until the version is changed again: {pin} admits nothing else"


def _circumstances(outlook: Outlook, chosen: Chosen) -> Iterator[str]:
    subject = outlook.subject
    name, base = subject.ext.name, subject.installed
    policy = policy_of(subject.annotations)
    if needs_approval(policy, None if base is None else base.bundle, outlook.identity):
        yield f"upgrade-policy {policy}: it waits for approval: olm plan {name}, then olm approve {name}"
    if not subject.ext.spec.enforces_crd_upgrade_safety:
        image = chosen.bundle.image or "BUNDLE"
        command = f"olm crd-check cluster:{name} {image}"
        yield f"the check of CRDs is switched off (enforcement: None): {command} tells whether objects lose data"
    if is_deleting(subject.manifest):
        yield "the extension is being deleted: nothing is installed any more"
    if is_paused(subject.annotations):
        yield "the extension is paused: nothing happens before that ends"
