"""What a person should know of an extension beside its conditions: said as Events, each while it holds only once."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.conditions import scrub
from olmv1.manifests import Manifest, annotations_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.status.events import Transition
from operator_controller.target import strange_extras

__all__ = ["remarks"]


def remarks(ext: Manifest, seen: ExtensionOutcome) -> Iterator[Transition]:
    """What the resolver has to say, annotations without effect, a replaced image, odd bundles, sick catalogs."""
    for note in seen.notes:
        yield Transition("Normal", note.kind.value, note.message)
    if seen.explanation:
        yield Transition("Normal", "Resolution", scrub(seen.explanation))
    for sentence in strange_extras(annotations_of(ext)):
        yield Transition("Warning", "UnknownExtra", sentence)
    if seen.image_changed_to is not None:
        text = f"the catalog now names image {seen.image_changed_to} for the installed bundle; nothing is reinstalled"
        yield Transition("Warning", "ImageChanged", text)
    for sentence in seen.warnings:
        yield Transition("Warning", "BundleWarning", sentence)
    for sentence in seen.upgradeable.warnings if seen.upgradeable else ():
        yield Transition("Warning", "MaxOpenShiftVersion", sentence)
    for sentence in seen.unreadable:
        yield Transition("Warning", "CatalogUnreadable", scrub(sentence))
