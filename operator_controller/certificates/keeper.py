"""Whose authority a revision uses: each extension has one of its own, so that a lost key opens nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import LABEL_MANAGED_BY, LABEL_OWNER_KIND, LABEL_OWNER_NAME, MANAGED_BY
from olmv1.manifests import Manifest, labels_of, name_of, uid_of
from operator_controller.revisions.ownership import controller_of
from operator_controller.revisions.view import extension_of, family_of

__all__ = ["Keeper", "keeper_of"]


@dataclass(frozen=True, slots=True)
class Keeper:
    """The Secret with the authority: its name and labels, what the authority is called, and who owns the Secret.

    `owner` is an owner reference; `None` for a revision whose extension was let go of and is not back yet.
    """

    secret: str
    title: str
    labels: Mapping[str, str]
    owner: Mapping[str, Any] | None

    def is_in_order(self, secret: Manifest) -> bool:
        """Whether the Secret has its labels and its owner."""
        labels, owners = labels_of(secret), _owners(secret)
        is_owned = self.owner is None or any(item.get("uid") == self.owner["uid"] for item in owners)
        return is_owned and all(labels.get(key) == value for key, value in self.labels.items())

    def owners(self, secret: Manifest) -> list[Mapping[str, Any]]:
        """The owner references that the Secret should have: ours, and those of others but for extensions before us."""
        if self.owner is None:
            return _owners(secret)
        others = [item for item in _owners(secret) if item.get("uid") != self.owner["uid"]]
        return [*(item for item in others if item.get("kind") != "ClusterExtension"), self.owner]


def keeper_of(object_set: Manifest) -> Keeper:
    """The keeper for a revision: that of its extension, or of its hand-made family.

    The label of revisions is not among the labels: this is no Secret that holds objects of one.
    """
    extension = extension_of(object_set)
    family = (family_of(object_set) or ("", name_of(object_set)))[1]
    labels = {LABEL_OWNER_NAME: labels_of(object_set).get(LABEL_OWNER_NAME, ""), LABEL_MANAGED_BY: MANAGED_BY}
    if extension is not None:
        owner = controller_of(object_set)
        labels |= {LABEL_OWNER_KIND: "ClusterExtension", LABEL_OWNER_NAME: extension}
        return Keeper(f"{extension}-certificates", extension, labels, owner)
    digest = hashlib.sha256(family.encode()).hexdigest()[:16]
    reference = {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "name": name_of(object_set),
        "uid": uid_of(object_set),
        "controller": False,
        "blockOwnerDeletion": False,
    }
    return Keeper(f"set-{digest}-certificates", f"set-{digest}", labels, reference)


def _owners(secret: Manifest) -> list[Mapping[str, Any]]:
    return list((secret.get("metadata") or {}).get("ownerReferences") or ())
