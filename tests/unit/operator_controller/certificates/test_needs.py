from __future__ import annotations

from typing import Any

import pytest

from operator_controller.certificates import Need, is_certified, needs_of
from operator_controller.revisions.plan import Plan, plan_of
from tests.builders import an_object, an_object_set

EXTRAS = "extras.olm.operatorframework.io"


def a_service(name: str, secret: str) -> dict[str, Any]:
    return an_object("Service", name, metadata={"annotations": {f"{EXTRAS}/serving-cert": secret}})


def a_plan(*objects: dict[str, Any]) -> Plan:
    phases = [{"name": "one", "objects": [{"object": item} for item in objects]}]
    return plan_of(an_object_set(phases=phases), {}, "system")


def names(service: str) -> tuple[str, ...]:
    host = f"{service}.lantern-system"
    return (host, f"{host}.svc", f"{host}.svc.cluster.local")


def test_needs_of_names_every_service_of_a_secret() -> None:
    plan = a_plan(a_service("b", "two"), a_service("c", "one"), a_service("a", "two"), an_object("Service", "plain"))
    assert needs_of(plan) == (
        Need(("lantern-system", "one"), names("c")),
        Need(("lantern-system", "two"), (*names("a"), *names("b"))),
    )


@pytest.mark.parametrize(
    ("manifest", "answer"),
    [
        pytest.param(a_service("a", "cert"), True, id="serves"),
        pytest.param(
            an_object(
                "ValidatingWebhookConfiguration",
                "w",
                "admissionregistration.k8s.io/v1",
                metadata={"annotations": {f"{EXTRAS}/inject-ca": "ns/cert"}},
            ),
            True,
            id="trusts",
        ),
        pytest.param(an_object(metadata={"annotations": {f"{EXTRAS}/inject-ca": "ns/cert"}}), False, id="no caller"),
        pytest.param(an_object(), False, id="plain"),
    ],
)
def test_is_certified_says_whether_there_is_anything_to_do(manifest: dict[str, Any], answer: bool) -> None:
    assert is_certified(a_plan(manifest)) is answer
