from __future__ import annotations

from typing import Any

import pytest

from olmv1.api.cluster_object_set import ClusterObjectSet, ObjectRef, PhaseObject
from olmv1.errors import TerminalError


def an_object_set(**spec: Any) -> dict[str, Any]:
    required = {"lifecycleState": "Active", "revision": 1, "collisionProtection": "Prevent"}
    return {"metadata": {"name": "ledger-1"}, "spec": {**required, **spec}}


def test_object_set_shows_inline_and_referenced_objects() -> None:
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
    objects = [{"object": namespace, "collisionProtection": "None"}, {"ref": {"name": "ledger-1-ab", "key": "k"}}]
    phases = [{"name": "namespaces", "objects": objects, "collisionProtection": "IfNoController"}]
    (phase,) = ClusterObjectSet.parse(an_object_set(phases=phases)).spec.phases
    assert (phase.name, phase.collision_protection) == ("namespaces", "IfNoController")
    assert phase.objects == (
        PhaseObject(object=namespace, collision_protection="None"),
        PhaseObject(ref=ObjectRef(name="ledger-1-ab", namespace="", key="k")),
    )


def test_object_set_shows_its_probes() -> None:
    probe = {
        "selector": {"type": "GroupKind", "groupKind": {"group": "apps", "kind": "Deployment"}},
        "assertions": [
            {"type": "ConditionEqual", "conditionEqual": {"type": "Available", "status": "True"}},
            {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "status.updatedReplicas", "fieldB": "status.replicas"}},
            {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase", "value": "Active"}},
        ],
    }
    (parsed,) = ClusterObjectSet.parse(an_object_set(progressionProbes=[probe])).spec.progression_probes
    assert parsed.model_dump(by_alias=True, exclude_none=True, mode="json") == probe


def test_object_set_has_defaults_for_what_is_absent() -> None:
    object_set = ClusterObjectSet.parse(an_object_set())
    spec = object_set.spec
    assert (spec.phases, spec.progression_probes, spec.progress_deadline_minutes) == ((), (), None)
    assert (object_set.status.conditions, object_set.status.observed_phases) == ((), ())


def test_object_set_shows_observed_phases() -> None:
    digest = "sha256:" + "ab" * 32
    status = {"observedPhases": [{"name": "deploy", "digest": digest}]}
    (phase,) = ClusterObjectSet.parse({**an_object_set(), "status": status}).status.observed_phases
    assert (phase.name, phase.digest) == ("deploy", digest)


def test_object_set_refuses_more_phases_than_the_crd() -> None:
    phases = [{"name": f"p{number}", "objects": []} for number in range(65)]
    with pytest.raises(TerminalError) as raised:
        ClusterObjectSet.parse(an_object_set(phases=phases))
    assert str(raised.value) == (
        'ClusterObjectSet "ledger-1" is invalid: spec.phases: List should have at most 64 items after validation, '
        "not 65, found a list of 65"
    )
