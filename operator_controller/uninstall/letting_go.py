"""How a revision lets go of an object that stays, as a merge patch."""

from __future__ import annotations

from typing import Any

from olmv1.api.names import ANNOTATION_REVISION, LABEL_MANAGED_BY, LABEL_OWNER_KIND, LABEL_OWNER_NAME, MANAGED_BY
from olmv1.manifests import Manifest, annotations_of, labels_of
from operator_controller.revisions.ownership import controller_of

__all__ = ["letting_go", "taking_off"]


def taking_off(live: Manifest, owner_uid: str) -> dict[str, Any] | None:
    """The patch that takes the owner reference of `owner_uid` off; `None` when there is none."""
    metadata = live["metadata"]
    references = metadata.get("ownerReferences") or []
    others = [reference for reference in references if reference.get("uid") != owner_uid]
    if len(others) == len(references):
        return None
    return {"metadata": {"ownerReferences": others, "resourceVersion": metadata.get("resourceVersion")}}


def letting_go(live: Manifest, owner_uid: str) -> dict[str, Any] | None:
    """As `taking_off`, with our marks on an object that is nobody's then; `None` when there is nothing to take off.

    Garbage collection may have taken the reference off before. The annotations of the object still tell the package and
    the version that it came from.
    """
    patch = taking_off(live, owner_uid)
    controller = controller_of(live)
    if controller is not None and controller.get("uid") != owner_uid:
        return patch
    marks = {key: dict.fromkeys(found) for key, found in _marks(live).items() if found}
    if patch is None and not marks:
        return None
    metadata = {"resourceVersion": live["metadata"].get("resourceVersion")} if patch is None else patch["metadata"]
    return {"metadata": {**metadata, **marks}}


def _marks(live: Manifest) -> dict[str, list[str]]:
    """The labels and annotations that say whose the object is."""
    labels = labels_of(live)
    marked = [key for key in (LABEL_OWNER_KIND, LABEL_OWNER_NAME) if key in labels]
    if labels.get(LABEL_MANAGED_BY) == MANAGED_BY:
        marked.append(LABEL_MANAGED_BY)
    return {"labels": marked, "annotations": [key for key in (ANNOTATION_REVISION,) if key in annotations_of(live)]}
