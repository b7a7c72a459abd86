"""ClusterObjectSet: one revision of an extension, its objects in phases.

Rule: revisions.md 1 and 4; the schema is `config/crd/olm.operatorframework.io_clusterobjectsets.yaml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from olmv1.api.objects import ApiModel, ApiObject, LabelSelector, StatusCondition, Timestamp, TupleOf

__all__ = [
    "Assertion",
    "CelRule",
    "ClusterObjectSet",
    "ClusterObjectSetSpec",
    "ClusterObjectSetStatus",
    "CollisionProtection",
    "ConditionEqual",
    "FieldValue",
    "FieldsEqual",
    "GroupKind",
    "LifecycleState",
    "ObjectRef",
    "ObservedPhase",
    "Phase",
    "PhaseObject",
    "ProbeSelector",
    "ProgressionProbe",
    "StartedPhase",
]

LifecycleState = Literal["Active", "Archived"]
CollisionProtection = Literal["Prevent", "IfNoController", "None"]

PhaseName = Annotated[str, Field(min_length=1, max_length=63)]
Text = Annotated[str, Field(min_length=1, max_length=200)]


class ObjectRef(ApiModel):
    """One value of a Secret that holds an object; an empty `namespace` means the system namespace."""

    name: Annotated[str, Field(min_length=1, max_length=253)]
    namespace: Annotated[str, Field(max_length=63)] = ""
    key: Annotated[str, Field(min_length=1, max_length=253)]


class PhaseObject(ApiModel):
    """An object, inline or by reference: exactly one of the two is set."""

    object: Mapping[str, Any] | None = None
    ref: ObjectRef | None = None
    collision_protection: CollisionProtection | None = None


class Phase(ApiModel):
    """Objects that are applied together, in list order, before the next phase starts."""

    name: PhaseName
    objects: Annotated[TupleOf[PhaseObject], Field(max_length=50)]
    collision_protection: CollisionProtection | None = None


class GroupKind(ApiModel):
    """Selects objects of one kind, whatever the version; the core group is empty."""

    group: Annotated[str, Field(max_length=253)]
    kind: Annotated[str, Field(min_length=1, max_length=63)]


class ProbeSelector(ApiModel):
    """Which objects a probe looks at: the field that `type` names is set."""

    type: Literal["GroupKind", "Label"]
    group_kind: GroupKind | None = None
    label: LabelSelector | None = None


class ConditionEqual(ApiModel):
    """Holds when the condition `type` of the object has this status."""

    type: Text
    status: Literal["True", "False"]


class FieldsEqual(ApiModel):
    """Holds when two fields of the object are equal."""

    field_a: Text
    field_b: Text


class FieldValue(ApiModel):
    """Holds when a field of the object has this value."""

    field_path: Text
    value: Text


class CelRule(ApiModel):
    """Holds when `rule`, which sees the object as `self`, yields true; else `message` says what is missing."""

    rule: Annotated[str, Field(min_length=1, max_length=4096)]
    message: Annotated[str, Field(min_length=1, max_length=1024)]


class Assertion(ApiModel):
    """One thing that must hold: the field that `type` names is set."""

    type: Literal["ConditionEqual", "FieldsEqual", "FieldValue", "CEL"]
    condition_equal: ConditionEqual | None = None
    fields_equal: FieldsEqual | None = None
    field_value: FieldValue | None = None
    cel: CelRule | None = None


class ProgressionProbe(ApiModel):
    """What selected objects must show before the next phase starts."""

    selector: ProbeSelector
    assertions: Annotated[TupleOf[Assertion], Field(min_length=1, max_length=20)]


class ClusterObjectSetSpec(ApiModel):
    """What is wanted of the revision; `progress_deadline_minutes` is `None` for no deadline."""

    lifecycle_state: LifecycleState
    revision: Annotated[int, Field(ge=1)]
    collision_protection: CollisionProtection
    phases: Annotated[TupleOf[Phase], Field(max_length=64)] = ()
    progress_deadline_minutes: Annotated[int, Field(ge=10, le=720)] | None = None
    progression_probes: Annotated[TupleOf[ProgressionProbe], Field(min_length=1, max_length=20)] = ()


class ObservedPhase(ApiModel):
    """What a phase contained when it was first resolved: `digest` is `sha256:<hex>`."""

    name: PhaseName
    digest: Annotated[str, Field(min_length=1, max_length=256)]


class StartedPhase(ApiModel):
    """When the rollout came to a phase (RFC 3339)."""

    name: PhaseName
    started_at: Timestamp


class ClusterObjectSetStatus(ApiModel):
    """What was observed; written by the operator-controller only."""

    conditions: TupleOf[StatusCondition] = ()
    observed_generation: Annotated[int, Field(ge=0)] | None = None
    observed_phases: Annotated[TupleOf[ObservedPhase], Field(max_length=64)] = ()
    started_phases: Annotated[TupleOf[StartedPhase], Field(max_length=64)] = ()


class ClusterObjectSet(ApiObject):
    """One revision."""

    api_version: Literal["olm.operatorframework.io/v1"] = "olm.operatorframework.io/v1"
    kind: Literal["ClusterObjectSet"] = "ClusterObjectSet"
    spec: ClusterObjectSetSpec
    status: ClusterObjectSetStatus = Field(default_factory=ClusterObjectSetStatus)
