"""What the API server admits and refuses of a ClusterObjectSet, with the exact messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import Invalid
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from tests.crds import refusals

pytestmark = pytest.mark.api

FIELD_PATH = (
    "must contain a valid field path. valid fields contain upper or lower-case alphanumeric characters separated by "
    'the "." character.'
)
LABEL = (
    "name must be a valid DNS1035 label. It must contain only lowercase alphanumeric characters and hyphens (-), start "
    "with a letter and end with an alphanumeric character"
)
NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}}
REF = {"name": "ledger-1-0123456789abcdef", "key": "k"}
DIGEST = "sha256:" + "ab" * 32


def an_object_set(**spec: Any) -> dict[str, Any]:
    required = {"lifecycleState": "Active", "revision": 1, "collisionProtection": "Prevent"}
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": "ClusterObjectSet",
        "metadata": {"name": "ledger-1"},
        "spec": {**required, **spec},
    }


def a_phase(name: str = "deploy", *objects: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "objects": list(objects)}


def a_probe(selector: dict[str, Any] | None = None, assertion: dict[str, Any] | None = None) -> dict[str, Any]:
    everything = {"type": "GroupKind", "groupKind": {"group": "apps", "kind": "Deployment"}}
    is_active = {"type": "FieldValue", "fieldValue": {"fieldPath": "status.phase", "value": "Active"}}
    return {"progressionProbes": [{"selector": selector or everything, "assertions": [assertion or is_active]}]}


async def refusals_of(client: KubeClient, spec: dict[str, Any]) -> set[tuple[str, str]]:
    with pytest.raises(Invalid) as refused:
        await client.create(CLUSTER_OBJECT_SETS, an_object_set(**spec), dry_run=True)
    return refusals(refused.value)


@pytest.fixture
async def stored(client: KubeClient) -> AsyncIterator[KubeClient]:
    """A client of a server that has a set `ledger-1` with one phase."""
    await client.create(CLUSTER_OBJECT_SETS, an_object_set(phases=[a_phase("deploy", {"ref": REF})]))
    try:
        yield client
    finally:
        await client.delete(CLUSTER_OBJECT_SETS, "ledger-1")


@pytest.mark.parametrize(
    "spec",
    [
        pytest.param({}, id="nothing but what is required"),
        pytest.param({"phases": [a_phase(f"p{number}") for number in range(64)]}, id="64 phases"),
        pytest.param({"phases": [a_phase("deploy", *[{"ref": REF}] * 50)]}, id="50 objects"),
        pytest.param({"phases": [a_phase("n", {"object": {**NAMESPACE, "odd": {"field": 1}}})]}, id="unknown fields"),
        pytest.param({"progressDeadlineMinutes": 10, "collisionProtection": "IfNoController"}, id="deadline"),
        pytest.param(a_probe({"type": "Label", "label": {"matchLabels": {"a": "b"}}}), id="label probe"),
        pytest.param(
            a_probe(
                None, {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "spec.replicas", "fieldB": "status.replicas"}}
            ),
            id="fields probe",
        ),
        *[
            pytest.param(
                a_probe(None, {"type": "FieldValue", "fieldValue": {"fieldPath": path, "value": "1"}}), id=path
            )
            for path in ('metadata.annotations."example.com/x-y"', 'metadata.labels."a\\"b"', "spec.ports.0.port")
        ],
        pytest.param(
            a_probe(None, {"type": "CEL", "cel": {"rule": "self.spec.replicas > 1", "message": "too few"}}),
            id="rule in CEL",
        ),
        pytest.param(
            a_probe(None, {"type": "ConditionEqual", "conditionEqual": {"type": "Available", "status": "True"}}),
            id="condition probe",
        ),
    ],
)
async def test_object_set_is_stored_as_written(client: KubeClient, spec: dict[str, Any]) -> None:
    created = await client.create(CLUSTER_OBJECT_SETS, an_object_set(**spec), dry_run=True)
    assert created["spec"] == an_object_set(**spec)["spec"]


@pytest.mark.parametrize(
    ("field", "message", "spec"),
    [
        (
            "lifecycleState",
            'Unsupported value: "Paused": supported values: "Active", "Archived"',
            {"lifecycleState": "Paused"},
        ),
        (
            "collisionProtection",
            'Unsupported value: "All": supported values: "Prevent", "IfNoController", "None"',
            {"collisionProtection": "All"},
        ),
        ("revision", "spec.revision in body should be greater than or equal to 1", {"revision": 0}),
        ("phases", "Too many: 65: must have at most 64 items", {"phases": [a_phase(f"p{n}") for n in range(65)]}),
        ("phases[1]", 'Duplicate value: {"name":"deploy"}', {"phases": [a_phase(), a_phase()]}),
        ("phases[0].name", LABEL, {"phases": [a_phase("1st")]}),
        ("phases[0].name", LABEL, {"phases": [a_phase("a.b")]}),
        ("phases[0].name", "Too long: may not be more than 63 bytes", {"phases": [a_phase("a" * 64)]}),
        (
            "phases[0].objects",
            "Too many: 51: must have at most 50 items",
            {"phases": [a_phase("p", *[{"ref": REF}] * 51)]},
        ),
        (
            "phases[0].objects[0]",
            "exactly one of the fields in [object ref] must be set",
            {"phases": [a_phase("p", {"collisionProtection": "None"})]},
        ),
        (
            "phases[0].objects[0]",
            "exactly one of the fields in [object ref] must be set",
            {"phases": [a_phase("p", {"ref": REF, "object": NAMESPACE})]},
        ),
        (
            "phases[0].objects[0].object.kind",
            "Required value",
            {"phases": [a_phase("p", {"object": {"apiVersion": "v1"}})]},
        ),
        ("phases[0].objects[0].ref.key", "Required value", {"phases": [a_phase("p", {"ref": {"name": "s"}})]}),
        (
            "progressDeadlineMinutes",
            "spec.progressDeadlineMinutes in body should be greater than or equal to 10",
            {"progressDeadlineMinutes": 9},
        ),
        (
            "progressionProbes",
            "spec.progressionProbes in body should have at least 1 items",
            {"progressionProbes": []},
        ),
    ],
)
async def test_object_set_is_refused(client: KubeClient, field: str, message: str, spec: dict[str, Any]) -> None:
    assert (f"spec.{field}", message) in await refusals_of(client, spec)


@pytest.mark.parametrize(
    ("field", "message", "probe"),
    [
        (
            "selector",
            "groupKind is required when type is GroupKind, and forbidden otherwise",
            a_probe({"type": "GroupKind"}),
        ),
        ("selector", "label is required when type is Label, and forbidden otherwise", a_probe({"type": "Label"})),
        (
            "selector.label",
            "exactly one of matchLabels or matchExpressions must be set",
            a_probe({"type": "Label", "label": {}}),
        ),
        (
            "assertions[0]",
            "conditionEqual is required when type is ConditionEqual, and forbidden otherwise",
            a_probe(None, {"type": "ConditionEqual"}),
        ),
        (
            "assertions[0]",
            "fieldsEqual is required when type is FieldsEqual, and forbidden otherwise",
            a_probe(None, {"type": "FieldsEqual"}),
        ),
        (
            "assertions[0]",
            "fieldValue is required when type is FieldValue, and forbidden otherwise",
            a_probe(None, {"type": "FieldValue"}),
        ),
        ("assertions[0]", "cel is required when type is CEL, and forbidden otherwise", a_probe(None, {"type": "CEL"})),
        (
            "assertions[0].fieldValue.fieldPath",
            FIELD_PATH,
            a_probe(None, {"type": "FieldValue", "fieldValue": {"fieldPath": 'spec."a', "value": "Active"}}),
        ),
        (
            "assertions[0].fieldValue.fieldPath",
            FIELD_PATH,
            a_probe(None, {"type": "FieldValue", "fieldValue": {"fieldPath": ".status.phase", "value": "Active"}}),
        ),
        (
            "assertions[0].fieldsEqual.fieldB",
            FIELD_PATH,
            a_probe(None, {"type": "FieldsEqual", "fieldsEqual": {"fieldA": "spec.a", "fieldB": "spec.b[0]"}}),
        ),
        (
            "assertions[0].conditionEqual.status",
            'Unsupported value: "Unknown": supported values: "True", "False"',
            a_probe(None, {"type": "ConditionEqual", "conditionEqual": {"type": "Ready", "status": "Unknown"}}),
        ),
    ],
)
async def test_probe_is_refused(client: KubeClient, field: str, message: str, probe: dict[str, Any]) -> None:
    assert await refusals_of(client, probe) == {(f"spec.progressionProbes[0].{field}", message)}


@pytest.mark.parametrize(
    ("field", "message", "spec"),
    [
        ("spec.revision", "revision is immutable", {"revision": 2}),
        ("spec.collisionProtection", "collisionProtection is immutable", {"collisionProtection": "None"}),
        ("spec.phases", "phases is immutable", {"phases": [a_phase("deploy")]}),
        ("spec", "phases is immutable", {"phases": None}),
    ],
)
async def test_field_cannot_change(stored: KubeClient, field: str, message: str, spec: dict[str, Any]) -> None:
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", {"spec": spec}, dry_run=True)
    assert refusals(refused.value) == {(field, message)}


async def test_deadline_and_probes_can_change(stored: KubeClient) -> None:
    spec = {"progressDeadlineMinutes": 15, **a_probe()}
    patched = await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", {"spec": spec}, dry_run=True)
    assert {key: patched["spec"][key] for key in spec} == spec


async def test_archived_set_stays_archived(stored: KubeClient) -> None:
    await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", {"spec": {"lifecycleState": "Archived"}})
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", {"spec": {"lifecycleState": "Active"}}, dry_run=True)
    assert refusals(refused.value) == {("spec.lifecycleState", "cannot un-archive")}


@pytest.mark.parametrize(
    ("field", "observed"),
    [
        pytest.param("status.observedPhases", [{"name": "deploy", "digest": f"{DIGEST[:-1]}0"}], id="other digest"),
        pytest.param("status", None, id="removed"),
    ],
)
async def test_observed_phases_cannot_change(stored: KubeClient, field: str, observed: Any) -> None:
    first = {"status": {"observedPhases": [{"name": "deploy", "digest": DIGEST}]}}
    await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", first, subresource="status")
    # Another field stays behind: transition rules are not asked when the whole status goes away.
    second = {"status": {"observedPhases": observed, "conditions": []}}
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", second, subresource="status", dry_run=True)
    assert refusals(refused.value) == {(field, "observedPhases is immutable")}


async def test_digest_of_a_phase_names_its_algorithm(stored: KubeClient) -> None:
    status = {"status": {"observedPhases": [{"name": "deploy", "digest": "ab" * 32}]}}
    with pytest.raises(Invalid) as refused:
        await stored.patch(CLUSTER_OBJECT_SETS, "ledger-1", status, subresource="status", dry_run=True)
    assert refusals(refused.value) == {
        ("status.observedPhases[0].digest", "digest must have the form <algorithm>:<hex>")
    }
