"""CRD upgrade safety: what a new CustomResourceDefinition does to objects and clients of the one that is there.

Pure. `objects_to_read` names the stored objects that matter, `StoredCheck` looks at them page by page, `judge` gives
the verdict. Called by the reconciler of extensions before a revision, and by `olm crd-check`. Rule: applying.md 5.
"""

from __future__ import annotations

from operator_controller.crd_safety.accepting import ANNOTATION_CRD_ACCEPT, Accepted, AcceptError, accepted_of
from operator_controller.crd_safety.definition import is_definition
from operator_controller.crd_safety.findings import Finding, Remark, Risk, Stage
from operator_controller.crd_safety.judging import (
    CrdVerdict,
    Judged,
    ObjectsToRead,
    Outcome,
    failure_of,
    judge,
    objects_to_read,
)
from operator_controller.crd_safety.stored import Harm, HarmKind, Stored, StoredCheck

__all__ = [
    "ANNOTATION_CRD_ACCEPT",
    "AcceptError",
    "Accepted",
    "CrdVerdict",
    "Finding",
    "Harm",
    "HarmKind",
    "Judged",
    "ObjectsToRead",
    "Outcome",
    "Remark",
    "Risk",
    "Stage",
    "Stored",
    "StoredCheck",
    "accepted_of",
    "failure_of",
    "is_definition",
    "judge",
    "objects_to_read",
]
