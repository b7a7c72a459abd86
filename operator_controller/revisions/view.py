"""A ClusterObjectSet as its extension sees it. Rule: revisions.md 1.3 and 7.2."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import (
    ANNOTATION_BUNDLE_NAME,
    ANNOTATION_BUNDLE_REFERENCE,
    ANNOTATION_BUNDLE_RELEASE,
    ANNOTATION_BUNDLE_VERSION,
    ANNOTATION_PACKAGE_NAME,
    ANNOTATION_SERVICE_ACCOUNT_NAME,
    ANNOTATION_SERVICE_ACCOUNT_NAMESPACE,
    LABEL_OWNER_KIND,
    LABEL_OWNER_NAME,
)
from olmv1.conditions import condition_of, is_true
from olmv1.manifests import Manifest, annotations_of, is_deleting, labels_of, name_of, uid_of
from operator_controller.revisions.desired import ANNOTATION_CATALOG, ANNOTATION_INPUTS, BundleIdentity
from operator_controller.revisions.ownership import controller_of

__all__ = [
    "RevisionView",
    "account_of",
    "active",
    "extension_of",
    "family_of",
    "installed",
    "is_torn_down",
    "missing_account",
    "view_of",
]

_DNS_NAME = re.compile(r"[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?", re.ASCII)


@dataclass(frozen=True, slots=True)
class RevisionView:
    """One revision of an extension, with the conditions that its own reconciler wrote."""

    name: str
    uid: str
    number: int
    bundle: BundleIdentity
    inputs: str
    account: tuple[str, str] | None
    deadline_min: int | None
    is_active: bool
    has_succeeded: bool
    progressing: Mapping[str, Any] | None
    available: Mapping[str, Any] | None
    annotations: Mapping[str, str]
    """What was recorded when it was made."""
    collision_protection: str = "Prevent"


def view_of(object_set: Manifest) -> RevisionView:
    """The view of one ClusterObjectSet; one that is being deleted is not active."""
    annotations, spec = annotations_of(object_set), object_set["spec"]
    bundle = BundleIdentity(
        package=annotations.get(ANNOTATION_PACKAGE_NAME, ""),
        name=annotations.get(ANNOTATION_BUNDLE_NAME, ""),
        version=annotations.get(ANNOTATION_BUNDLE_VERSION, ""),
        release=annotations.get(ANNOTATION_BUNDLE_RELEASE),
        image=annotations.get(ANNOTATION_BUNDLE_REFERENCE, ""),
        catalog=annotations.get(ANNOTATION_CATALOG),
    )
    return RevisionView(
        name=name_of(object_set),
        uid=uid_of(object_set),
        number=int(spec["revision"]),
        bundle=bundle,
        inputs=annotations.get(ANNOTATION_INPUTS, ""),
        account=account_of(object_set),
        deadline_min=spec.get("progressDeadlineMinutes"),
        is_active=spec["lifecycleState"] == "Active" and not is_deleting(object_set),
        has_succeeded=is_true(object_set, "Succeeded"),
        progressing=condition_of(object_set, "Progressing"),
        available=condition_of(object_set, "Available"),
        annotations=annotations,
        collision_protection=str(spec.get("collisionProtection") or "Prevent"),
    )


def account_of(object_set: Manifest) -> tuple[str, str] | None:
    """Namespace and name of the account that the set acts as, or `None` when its annotations name no valid one."""
    annotations = annotations_of(object_set)
    namespace = annotations.get(ANNOTATION_SERVICE_ACCOUNT_NAMESPACE, "")
    name = annotations.get(ANNOTATION_SERVICE_ACCOUNT_NAME, "")
    is_usable = _DNS_NAME.fullmatch(namespace) is not None and _DNS_NAME.fullmatch(name) is not None
    return (namespace, name) if is_usable else None


def extension_of(object_set: Manifest) -> str | None:
    """The extension that a set is a revision of; `None` for the sets of other people, whatever their labels say.

    Its controller reference decides. A set without a controller counts when it is called, labelled and annotated as a
    revision is: its extension was deleted with orphans, and may be made again.
    """
    controller = controller_of(object_set)
    if controller is not None:
        return str(controller.get("name")) if controller.get("kind") == "ClusterExtension" else None
    labels = labels_of(object_set)
    owner, number = labels.get(LABEL_OWNER_NAME, ""), (object_set.get("spec") or {}).get("revision")
    is_ours = labels.get(LABEL_OWNER_KIND) == "ClusterExtension" and name_of(object_set) == f"{owner}-{number}"
    return owner if is_ours and annotations_of(object_set).get(ANNOTATION_BUNDLE_NAME) else None


def family_of(object_set: Manifest) -> tuple[str, str] | None:
    """What siblings share: their extension, else, for sets made by hand, the owner label; `None`: no siblings."""
    extension = extension_of(object_set)
    if extension is not None:
        return ("ClusterExtension", extension)
    label = labels_of(object_set).get(LABEL_OWNER_NAME)
    return ("", label) if label else None


def missing_account(object_set: Manifest) -> str:
    """The sentence about a set whose annotations do not name an account. Rule: clusterextension.md 11.1."""
    revision, annotations = name_of(object_set), annotations_of(object_set)
    has_name = bool(annotations.get(ANNOTATION_SERVICE_ACCOUNT_NAME))
    has_namespace = bool(annotations.get(ANNOTATION_SERVICE_ACCOUNT_NAMESPACE))
    if not has_name and not has_namespace:
        return f'revision "{revision}" is missing required annotations'
    if has_name and has_namespace:
        return f'revision "{revision}" names a ServiceAccount that is no DNS name'
    return f'revision "{revision}" is missing ServiceAccount {"namespace" if has_name else "name"} annotation'


def is_torn_down(object_set: Manifest) -> bool:
    """Whether an archived set has been taken down: nothing of it is looked at again. Rule: revisions.md 9 row 7."""
    condition = condition_of(object_set, "Progressing") or {}
    is_archived = object_set["spec"]["lifecycleState"] == "Archived"
    return is_archived and (condition.get("status"), condition.get("reason")) == ("False", "Archived")


def active(revisions: Iterable[RevisionView]) -> tuple[RevisionView, ...]:
    """The revisions that are not archived, lowest number first."""
    return tuple(sorted((item for item in revisions if item.is_active), key=lambda item: item.number))


def installed(revisions: Iterable[RevisionView]) -> RevisionView | None:
    """The highest active revision that has succeeded: what is installed. Rule: revisions.md 7.2."""
    succeeded = [item for item in active(revisions) if item.has_succeeded]
    return succeeded[-1] if succeeded else None
