"""Which objects come, change and go, each compared as a revision stores it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from olmv1.api.names import ANNOTATION_BUNDLE_VERSION
from olmv1.manifests import Manifest, ObjectKey, annotations_of, key_of
from operator_controller.rollout_plan.fields import FieldChange, changed_fields

__all__ = ["Change", "ObjectChange", "object_changes"]

_MOST_FIELDS = 1000
"""Changed fields that are kept of one object."""
_Identity = tuple[str, str, str, str]


class Change(StrEnum):
    """What happens to something."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class ObjectChange:
    """One object with its changed fields; they are empty when it comes or goes. `is_cut`: there are more of them."""

    key: ObjectKey
    change: Change
    fields: tuple[FieldChange, ...] = ()
    is_cut: bool = False


def object_changes(old: Sequence[Manifest], new: Sequence[Manifest]) -> tuple[ObjectChange, ...]:
    """The changes by kind and name; what differs only in the version that every object carries does not count.

    Another version of an API is a change of the same object.
    """
    before, after = _by_identity(old), _by_identity(new)
    found = (_change(before.get(identity), after.get(identity)) for identity in {**before, **after})
    return tuple(sorted((each for each in found if each is not None), key=_order))


def _change(old: Manifest | None, new: Manifest | None) -> ObjectChange | None:
    if old is None or new is None:
        change = Change.ADDED if old is None else Change.REMOVED
        return ObjectChange(key_of(new if new is not None else old or {}), change)
    found: Iterator[FieldChange] = changed_fields(_unmarked(old), _unmarked(new))
    fields = tuple(islice(found, _MOST_FIELDS))
    if not fields:
        return None
    return ObjectChange(key_of(new), Change.CHANGED, fields, is_cut=next(found, None) is not None)


def _by_identity(objects: Iterable[Manifest]) -> Mapping[_Identity, Manifest]:
    return {(key.group, key.kind, key.namespace, key.name): each for each in objects for key in (key_of(each),)}


def _unmarked(manifest: Manifest) -> Manifest:
    annotations = {name: text for name, text in annotations_of(manifest).items() if name != ANNOTATION_BUNDLE_VERSION}
    return {**manifest, "metadata": {**(manifest.get("metadata") or {}), "annotations": annotations}}


def _order(change: ObjectChange) -> tuple[str, str, str, str]:
    key = change.key
    return key.kind, key.group, key.namespace, key.name
