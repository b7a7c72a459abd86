"""Who owns an object, and therefore what a revision may do with it.

Rule: revisions.md 5.3 (collision protection, siblings, adoption), 6.5 (what teardown may delete). A revision is named
by the UID of its ClusterObjectSet; siblings are the other sets of the same extension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from olmv1.api.names import ANNOTATION_REVISION, LABEL_OWNER_NAME
from olmv1.manifests import Manifest, annotations_of, labels_of, uid_of

__all__ = [
    "CollisionProtection",
    "Owner",
    "Verdict",
    "controller_of",
    "decide",
    "foreign_owners",
    "is_kept",
    "owner_reference",
]

_RESOURCE_POLICY = "helm.sh/resource-policy"


class CollisionProtection(StrEnum):
    """What a revision may take over: nothing, what no controller holds, or everything."""

    PREVENT = "Prevent"
    IF_NO_CONTROLLER = "IfNoController"
    NONE = "None"


class Verdict(StrEnum):
    """What to do with an object that exists."""

    OURS = "ours"
    """We are the controller: compare and repair."""

    ADOPT = "adopt"
    """Take it over: from an older sibling, or from nobody where the policy allows."""

    PROGRESSED = "progressed"
    """A newer sibling has it: leave it alone."""

    COLLISION = "collision"
    """Somebody else has it: report and leave it alone."""


@dataclass(frozen=True, slots=True)
class Owner:
    """A revision as an owner: `siblings` maps the UIDs of the other sets of the extension to their revision numbers."""

    name: str
    uid: str
    revision: int
    siblings: Mapping[str, int]


def owner_reference(owner: Owner) -> dict[str, Any]:
    """The controller reference that a revision puts on its objects.

    `blockOwnerDeletion` is false, so that the account needs no right on finalizers (architecture section 3).
    """
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "name": owner.name,
        "uid": owner.uid,
        "controller": True,
        "blockOwnerDeletion": False,
    }


def controller_of(live: Manifest) -> Mapping[str, Any] | None:
    """The owner reference with `controller: true`, or `None`."""
    for reference in (live.get("metadata") or {}).get("ownerReferences") or ():
        if reference.get("controller"):
            found: Mapping[str, Any] = reference
            return found
    return None


def decide(live: Manifest, owner: Owner, protection: CollisionProtection) -> Verdict:
    """What `owner` may do with `live` under `protection`."""
    controller = controller_of(live)
    if controller is None:
        if is_kept(live) and f"{labels_of(live).get(LABEL_OWNER_NAME)}-{owner.revision}" == owner.name:
            return Verdict.ADOPT  # an earlier installation of the same extension kept it
        is_free = protection is not CollisionProtection.PREVENT and not _is_claimed(live, owner)
        return Verdict.ADOPT if is_free else Verdict.COLLISION
    uid = str(controller.get("uid"))
    if uid == owner.uid:
        return Verdict.OURS
    if uid in owner.siblings:
        return _between_siblings(owner.siblings[uid], owner.revision)
    return Verdict.ADOPT if protection is CollisionProtection.NONE else Verdict.COLLISION


def foreign_owners(live: Manifest, owner: Owner) -> list[dict[str, Any]]:
    """The owner references to keep when adopting `live`: those of strangers, none of them controller any more."""
    mine = {owner.uid, *owner.siblings}
    references = (live.get("metadata") or {}).get("ownerReferences") or ()
    return [{**reference, "controller": False} for reference in references if reference.get("uid") not in mine]


def is_controlled_by(live: Manifest, owner_uid: str) -> bool:
    """Whether `owner_uid` is the controller of `live`: only then may its teardown delete it."""
    controller = controller_of(live)
    return bool(uid_of(live)) and controller is not None and controller.get("uid") == owner_uid


def is_kept(live: Manifest) -> bool:
    """Whether the object asks to stay when what it came from goes. Rule: helm-charts.md, `helm.sh/resource-policy`."""
    return annotations_of(live).get(_RESOURCE_POLICY) == "keep"


def _is_claimed(live: Manifest, owner: Owner) -> bool:
    """Whether a revision that is no sibling made the object, and is still named in it.

    Garbage collection decides first: it deletes the object, or takes the name off when that revision is gone.
    Rule: revisions.md 5.3, last rows but one, with 9 row 16.
    """
    mine = {owner.uid, *owner.siblings}
    references = (live.get("metadata") or {}).get("ownerReferences") or ()
    named = any(each.get("kind") == "ClusterObjectSet" and each.get("uid") not in mine for each in references)
    return named and ANNOTATION_REVISION in annotations_of(live)


def _between_siblings(theirs: int, ours: int) -> Verdict:
    if theirs > ours:
        return Verdict.PROGRESSED
    return Verdict.ADOPT if theirs < ours else Verdict.COLLISION
