"""The short name of a plan: whatever a person should look at again changes it, and nothing else does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping

from olmv1.manifests import Manifest
from operator_controller.crd_safety import CrdVerdict
from operator_controller.crd_safety.compare import STORED_OBJECTS

__all__ = ["finding_ids", "plan_hash"]

_LENGTH = 32


def plan_hash(objects: Iterable[Manifest], image_digest: str, findings: Iterable[str], *, basis: str = "") -> str:
    """32 hexadecimal digits over the objects to apply, the digest of their image, and the findings.

    So many that nobody can make up two plans with one hash.

    The order of objects and of findings means nothing, nor does that of keys. `basis` is `Rendered.basis`: what stands
    for the objects when no two renderings are alike, as with charts that make up passwords.
    Rule: decision 20; helm-charts.md, "random output".
    """
    rendered = [basis] if basis else sorted(hashlib.sha256(_encoded(each)).hexdigest() for each in objects)
    plan = {"objects": rendered, "image": image_digest, "findings": sorted(set(findings))}
    return hashlib.sha256(_encoded(plan)).hexdigest()[:_LENGTH]


def finding_ids(verdicts: Iterable[CrdVerdict], warnings: Iterable[str] = ()) -> tuple[str, ...]:
    """What the comparison of definitions found, and the warnings of the rendering, for `plan_hash`.

    Whatever the outcome of a finding: that changes with the stored objects, which come and go while nobody looks.
    """
    found = (each.finding for verdict in verdicts for each in verdict.findings)
    return tuple(sorted({*warnings, *(each.id for each in found if each.check != STORED_OBJECTS)}))


def _encoded(value: object) -> bytes:
    # not orjson: a hostile manifest may hold integers of more than 64 bits
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_plain).encode()


def _plain(value: object) -> object:
    """Mappings and sequences of other types than JSON's."""
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, Iterable) else str(value)
