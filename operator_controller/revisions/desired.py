"""What a revision of an extension looks like: its objects as applied, its ClusterObjectSet, its number and name.

Rule: revisions.md 1.3, 1.4, 3.1, 6.6 and 7.1. A new revision is made when the digest of the inputs differs from the one
that the newest revision carries, never because an API call failed (9 rows 6 and 20).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from olmv1.api.names import (
    ANNOTATION_BUNDLE_NAME,
    ANNOTATION_BUNDLE_REFERENCE,
    ANNOTATION_BUNDLE_RELEASE,
    ANNOTATION_BUNDLE_VERSION,
    ANNOTATION_LAST_APPLIED,
    ANNOTATION_PACKAGE_NAME,
    ANNOTATION_PROPERTIES,
    ANNOTATION_REVISION,
    ANNOTATION_SERVICE_ACCOUNT_NAME,
    ANNOTATION_SERVICE_ACCOUNT_NAMESPACE,
    EXTRAS_PREFIX,
    FINALIZER_TEARDOWN,
    LABEL_MANAGED_BY,
    LABEL_OWNER_KIND,
    LABEL_OWNER_NAME,
    LABEL_REVISION_NAME,
    MANAGED_BY,
    SECRET_TYPE_OBJECT_DATA,
)
from olmv1.manifests import Manifest, annotations_of, labels_of, name_of
from operator_controller.revisions.ownership import Owner, owner_reference
from operator_controller.revisions.packing import Packed
from operator_controller.revisions.probes import DEFAULT_PROBES

__all__ = [
    "ANNOTATION_CAPABILITIES",
    "ANNOTATION_CATALOG",
    "ANNOTATION_CERTIFICATES",
    "ANNOTATION_INPUTS",
    "ANNOTATION_NOTES",
    "ANNOTATION_OPERATOR_CONDITION",
    "ANNOTATION_OPTIONAL_KINDS",
    "KEPT_REVISIONS",
    "BundleIdentity",
    "Rollout",
    "as_applied",
    "as_stored",
    "inputs_digest",
    "next_number",
    "object_set",
    "ref_secret",
    "superfluous",
]

ANNOTATION_INPUTS = f"{EXTRAS_PREFIX}inputs-digest"
"""On a ClusterObjectSet: the digest of everything that its content was rendered from."""

ANNOTATION_CATALOG = f"{EXTRAS_PREFIX}catalog"
"""On a ClusterObjectSet: the catalog that its bundle came from; ties between catalogs stay with it."""

ANNOTATION_OPTIONAL_KINDS = f"{EXTRAS_PREFIX}optional-kinds"
"""On a ClusterObjectSet: which kinds it could do without, and whether the cluster had them."""

ANNOTATION_CERTIFICATES = f"{EXTRAS_PREFIX}certificates"
"""On a ClusterObjectSet with webhooks: who makes their certificates."""

ANNOTATION_CAPABILITIES = f"{EXTRAS_PREFIX}chart-capabilities"
"""On a ClusterObjectSet: what its chart asked about the cluster, with the answers."""

ANNOTATION_OPERATOR_CONDITION = f"{EXTRAS_PREFIX}operator-condition"
"""Name of the OperatorCondition that the revision brings; absent without one."""

ANNOTATION_NOTES = f"{EXTRAS_PREFIX}notes"
"""On a ClusterObjectSet: what the author of its content wants to tell the user."""

KEPT_REVISIONS = 5
"""Older revisions kept beside the newest one. Rule: revisions.md 6.6."""

_RENDERER_GENERATION = "2"
"""Raised when the renderer makes other objects from the same bundle, so that every extension is rolled out again."""


@dataclass(frozen=True, slots=True)
class BundleIdentity:
    """The bundle of a revision as its annotations tell it; `release` is `None` when the bundle has none."""

    package: str
    name: str
    version: str
    release: str | None
    image: str
    catalog: str | None = None

    @property
    def is_same_as(self) -> tuple[str, str, str, str | None]:
        """What makes two bundles one: the image is no part of it. Rule: decision 7."""
        return (self.package, self.name, self.version, self.release)


@dataclass(frozen=True, slots=True)
class Rollout:
    """Everything about a revision but its objects: for whom, of what, as whom."""

    extension: str
    extension_uid: str
    bundle: BundleIdentity
    account: tuple[str, str] | None
    """Namespace and name of the service account; `None` acts as the controller."""
    inputs: str
    properties: str | None
    """The annotation `olm.properties` of the bundle."""
    deadline_min: int | None
    recorded: Mapping[str, str] = field(default_factory=dict)
    """More annotations: what later passes must know of this rollout without its bundle."""
    collision_protection: str = "Prevent"
    """What the revision may take over of the objects that exist already."""


def inputs_digest(
    bundle: BundleIdentity, namespace: str, account: str | None, config: object, additions: Mapping[str, object]
) -> str:
    """`sha256:<hex>` over what the objects of a revision are rendered from; empty `additions` change nothing."""
    inputs = [_RENDERER_GENERATION, *bundle.is_same_as, namespace, account, config, *([additions] if additions else [])]
    return "sha256:" + hashlib.sha256(orjson.dumps(inputs, option=orjson.OPT_SORT_KEYS)).hexdigest()


def as_stored(manifest: Manifest, extension: str, bundle: BundleIdentity) -> dict[str, Any]:
    """`manifest` as a revision stores it: no status, only identity, labels and annotations of its metadata.

    The version annotation makes every version change a change of content. Rule: revisions.md 1.4.
    """
    annotations = {key: value for key, value in annotations_of(manifest).items() if key != ANNOTATION_LAST_APPLIED}
    annotations |= {ANNOTATION_BUNDLE_VERSION: bundle.version, ANNOTATION_PACKAGE_NAME: bundle.package}
    labels = {**labels_of(manifest), LABEL_OWNER_KIND: "ClusterExtension", LABEL_OWNER_NAME: extension}
    metadata = manifest.get("metadata") or {}
    kept = {key: metadata[key] for key in ("name", "namespace") if metadata.get(key)}
    body = {key: value for key, value in manifest.items() if key not in ("metadata", "status")}
    return {**body, "metadata": {**kept, "labels": labels, "annotations": annotations}}


def as_applied(
    stored: Manifest, owner: Owner, owner_label: str, keep_owners: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    """`stored` as it is sent: with the marks of its revision and its owners. Rule: revisions.md 5.1."""
    metadata = stored.get("metadata") or {}
    return {
        **stored,
        "metadata": {
            **metadata,
            "labels": {**labels_of(stored), LABEL_OWNER_NAME: owner_label, LABEL_MANAGED_BY: MANAGED_BY},
            "annotations": {**annotations_of(stored), ANNOTATION_REVISION: str(owner.revision)},
            "ownerReferences": [*keep_owners, owner_reference(owner)],
        },
    }


def object_set(rollout: Rollout, number: int, packed: Packed, secret_namespace: str) -> dict[str, Any]:
    """The ClusterObjectSet of revision `number`, its objects referred to in Secrets of `secret_namespace`."""
    phases = [
        {
            "name": name,
            "objects": [{"ref": {"namespace": secret_namespace, "name": ref.secret, "key": ref.key}} for ref in refs],
        }
        for name, refs in packed.phases
    ]
    spec: dict[str, Any] = {
        "lifecycleState": "Active",
        "revision": number,
        "collisionProtection": rollout.collision_protection,
        "phases": phases,
        "progressionProbes": list(DEFAULT_PROBES),
    }
    if rollout.deadline_min is not None:
        spec["progressDeadlineMinutes"] = rollout.deadline_min
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "metadata": {
            "name": f"{rollout.extension}-{number}",
            "labels": {LABEL_OWNER_KIND: "ClusterExtension", LABEL_OWNER_NAME: rollout.extension},
            "annotations": _annotations(rollout),
            "finalizers": [FINALIZER_TEARDOWN],
            "ownerReferences": [_extension_reference(rollout)],
        },
        "spec": spec,
    }


def ref_secret(object_set_name: str, extension: str, name: str, data: Mapping[str, bytes]) -> dict[str, Any]:
    """The immutable Secret `name` with objects of a revision, without its namespace and owner."""
    encoded = {key: base64.b64encode(value).decode() for key, value in sorted(data.items())}
    labels = {LABEL_REVISION_NAME: object_set_name, LABEL_OWNER_NAME: extension}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "labels": labels},
        "type": SECRET_TYPE_OBJECT_DATA,
        "immutable": True,
        "data": encoded,
    }


def next_number(revisions: Iterable[int]) -> int:
    """The number of the next revision: one above the highest, 1 for the first."""
    return max(revisions, default=0) + 1


def superfluous(object_sets: Sequence[Manifest], *, is_one_to_come: bool = False) -> tuple[str, ...]:
    """Names of the archived sets that are not kept beside the newest one, which may be one to come.

    Rule: revisions.md 6.6.
    """
    ordered = sorted(object_sets, key=lambda item: item["spec"]["revision"])
    kept = KEPT_REVISIONS if is_one_to_come else KEPT_REVISIONS + 1
    old = ordered[: max(0, len(ordered) - kept)]
    return tuple(name_of(item) for item in old if item["spec"]["lifecycleState"] == "Archived")


def _annotations(rollout: Rollout) -> dict[str, str]:
    bundle = rollout.bundle
    annotations = {
        **rollout.recorded,
        ANNOTATION_PACKAGE_NAME: bundle.package,
        ANNOTATION_BUNDLE_NAME: bundle.name,
        ANNOTATION_BUNDLE_VERSION: bundle.version,
        ANNOTATION_BUNDLE_REFERENCE: bundle.image,
        ANNOTATION_INPUTS: rollout.inputs,
    }
    if bundle.release is not None:
        annotations[ANNOTATION_BUNDLE_RELEASE] = bundle.release
    if bundle.catalog is not None:
        annotations[ANNOTATION_CATALOG] = bundle.catalog
    if rollout.account is not None:
        annotations[ANNOTATION_SERVICE_ACCOUNT_NAMESPACE], annotations[ANNOTATION_SERVICE_ACCOUNT_NAME] = (
            rollout.account
        )
    if rollout.properties is not None:
        annotations[ANNOTATION_PROPERTIES] = rollout.properties
    return annotations


def _extension_reference(rollout: Rollout) -> dict[str, Any]:
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterExtension",
        "name": rollout.extension,
        "uid": rollout.extension_uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
