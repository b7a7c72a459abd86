from __future__ import annotations

import base64
from typing import Any

import orjson
import pytest

from olmv1.errors import OlmError, RetryableError, TerminalError
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.revisions.packing import phase_digest
from operator_controller.revisions.plan import Secrets, body_of, places_of, plan_of
from tests.builders import an_object, an_object_set

PLACE = ("system", "stored")


def a_secret(*, is_immutable: bool = True, **data: bytes) -> dict[str, Any]:
    return {"immutable": is_immutable, "data": {key: base64.b64encode(value).decode() for key, value in data.items()}}


def a_ref(key: str = "k", namespace: str = "") -> dict[str, Any]:
    return {"ref": {"name": "stored", "key": key, **({"namespace": namespace} if namespace else {})}}


def a_set(*objects: dict[str, Any], **spec: Any) -> dict[str, Any]:
    return an_object_set(phases=[{"name": "one", "objects": list(objects)}], **spec)


STORED: Secrets = {PLACE: a_secret(k=orjson.dumps(an_object()))}


def test_places_of_fills_in_the_system_namespace() -> None:
    assert places_of(a_set(a_ref(), a_ref("l", "other"), {"object": {}}), "system") == (("other", "stored"), PLACE)


def test_plan_of_names_objects_and_digests() -> None:
    plan = plan_of(a_set(a_ref(), {"object": an_object(name="inline")}), STORED, "system")
    (phase,) = plan.phases
    assert (phase.name, phase.digest) == ("one", phase_digest("one", [an_object(), an_object(name="inline")]))
    assert [(item.key.name, item.place) for item in phase.objects] == [("thing", (0, 0)), ("inline", (0, 1))]


@pytest.mark.parametrize(
    ("entry", "phase", "spec", "expected"),
    [
        pytest.param({}, {}, "IfNoController", "IfNoController", id="of the set"),
        pytest.param({}, {"collisionProtection": "None"}, "Prevent", "None", id="of the phase"),
        pytest.param(
            {"collisionProtection": "Prevent"}, {"collisionProtection": "None"}, "None", "Prevent", id="of the object"
        ),
    ],
)
def test_plan_of_takes_the_nearest_collision_protection(
    entry: dict[str, Any], phase: dict[str, Any], spec: str, expected: str
) -> None:
    listed = [{"name": "one", "objects": [{"object": an_object(), **entry}], **phase}]
    plan = plan_of(an_object_set(phases=listed, collisionProtection=spec), {}, "system")
    assert plan.phases[0].objects[0].protection is CollisionProtection(expected)


@pytest.mark.parametrize(
    ("secrets", "kind", "message"),
    [
        pytest.param(
            {PLACE: a_secret(is_immutable=False)},
            TerminalError,
            "the following secrets are not immutable (referenced secrets must have immutable set to true): "
            "system/stored",
            id="mutable",
        ),
        pytest.param(
            {PLACE: RetryableError("getting Secret system/stored: not found")},
            RetryableError,
            'resolving ref in phase "one": getting Secret system/stored: not found',
            id="missing",
        ),
        pytest.param(
            {PLACE: a_secret()},
            RetryableError,
            'resolving ref in phase "one": key "k" not found in Secret system/stored',
            id="no key",
        ),
        pytest.param(
            {PLACE: {"immutable": True, "data": {"k": "x"}}},
            RetryableError,
            'resolving ref in phase "one": key "k" in Secret system/stored is no base64: ',
            id="no base64",
        ),
        pytest.param(
            {PLACE: a_secret(k=b'{"kind":"X"}')}, RetryableError, "revision validation error: revision", id="invalid"
        ),
    ],
)
def test_plan_of_says_what_is_wrong(secrets: Secrets, kind: type[OlmError], message: str) -> None:
    with pytest.raises(kind) as raised:
        plan_of(a_set(a_ref()), secrets, "system")
    assert str(raised.value).startswith(message)


@pytest.mark.parametrize(
    ("observed", "message"),
    [
        pytest.param(
            [{"name": "one", "digest": "sha256:0"}],
            'resolved content of 1 phase(s) has changed: phase "one" (expected digest sha256:0, got '
            f"{phase_digest('one', [an_object()])}); a referenced object source may have been deleted and recreated "
            "with different content",
            id="content",
        ),
        pytest.param(
            [{"name": "one", "digest": "x"}, {"name": "two", "digest": "y"}],
            "number of phases has changed (expected 2 phases, got 1 phases)",
            id="number",
        ),
    ],
)
def test_plan_of_holds_content_against_what_was_observed_first(observed: list[Any], message: str) -> None:
    stored = {**a_set(a_ref()), "status": {"observedPhases": observed}}
    with pytest.raises(TerminalError) as raised:
        plan_of(stored, STORED, "system")
    assert str(raised.value) == message


def test_plan_of_accepts_what_was_observed() -> None:
    observed = [{"name": "one", "digest": phase_digest("one", [an_object()])}]
    stored = {**a_set(a_ref()), "status": {"observedPhases": observed}}
    assert plan_of(stored, STORED, "system").phases[0].digest == observed[0]["digest"]


def test_body_of_refuses_other_content_than_the_plan_was_made_from() -> None:
    object_set = a_set(a_ref())
    planned = plan_of(object_set, STORED, "system").phases[0].objects[0]
    assert body_of(object_set, planned, STORED, "system") == an_object()
    other: Secrets = {PLACE: a_secret(k=orjson.dumps(an_object(data={"a": "b"})))}
    with pytest.raises(TerminalError, match="content of ConfigMap.v1 lantern-system/thing in phase"):
        body_of(object_set, planned, other, "system")


def a_serving(name: str, secret: str = "cert") -> dict[str, Any]:
    annotations = {"extras.olm.operatorframework.io/serving-cert": secret}
    return an_object("Service", name, metadata={"annotations": annotations})


def test_plan_of_adds_the_secret_of_a_certificate_once_and_to_no_digest() -> None:
    listed = [
        {"name": name, "objects": [{"object": item} for item in items]}
        for name, items in (("one", [a_serving("a"), a_serving("b")]), ("two", [a_serving("c")]))
    ]
    plan = plan_of(an_object_set(phases=listed), {}, "system")
    assert [[(item.key.name, item.place) for item in phase.objects] for phase in plan.phases] == [
        [("a", (0, 0)), ("b", (0, 1)), ("cert", None)],
        [("c", (1, 0))],
    ]
    made = plan.phases[0].objects[2]
    assert (made.key.kind, made.key.namespace, made.protection) == ("Secret", "lantern-system", "IfNoController")
    assert plan.phases[0].digest == phase_digest("one", [a_serving("a"), a_serving("b")])


def test_plan_of_refuses_a_stored_secret_where_a_certificate_goes() -> None:
    stored = an_object("Secret", "cert")
    with pytest.raises(RetryableError) as raised:
        plan_of(a_set({"object": stored}, {"object": a_serving("a")}), {}, "system")
    assert str(raised.value) == (
        "Secret.v1 lantern-system/cert is an object of the revision, and the Secret for the certificate of a Service: "
        "expected one of the two"
    )


def test_body_of_has_nothing_for_a_secret_that_is_made() -> None:
    found = a_set({"object": a_serving("a")})
    (phase,) = plan_of(found, {}, "system").phases
    with pytest.raises(TerminalError, match=r"content of Secret\.v1 lantern-system/cert is not stored"):
        body_of(found, phase.objects[1], {}, "system")


def test_removal_takes_webhooks_first_and_then_the_last_phase() -> None:
    kinds = {"one": "v1", "hooks": "admissionregistration.k8s.io/v1", "last": "v1"}
    listed = [
        {"name": name, "objects": [{"object": an_object("X", name, api_version)}]}
        for name, api_version in kinds.items()
    ]
    plan = plan_of(an_object_set(phases=listed), {}, "system")
    assert [phase.name for phase in plan.removal] == ["hooks", "last", "one"]
