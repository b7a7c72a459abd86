from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.webhooks import called_services, failed_webhooks, has_endpoint, own_webhook_advice
from tests.builders import an_object

REFUSED = (
    'Internal error occurred: failed calling webhook "v.example.com": failed to call webhook: Post '
    '"https://svc.ns.svc:443/validate?timeout=10s": no endpoints available for service "svc"'
)
READY = {"ready": True}


def a_configuration(*clients: Any, **parts: Any) -> dict[str, Any]:
    calls = [
        {"name": f"{letter}.example.com", "clientConfig": client} for letter, client in zip("vw", clients, strict=False)
    ]
    made = an_object("ValidatingWebhookConfiguration", "hooks", "admissionregistration.k8s.io/v1", webhooks=calls)
    return {**made, **parts}


def a_service(name: str) -> dict[str, Any]:
    return {"service": {"namespace": "ns", "name": name}}


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        pytest.param(a_configuration(a_service("b"), a_service("a")), (("ns", "a"), ("ns", "b")), id="two"),
        pytest.param(a_configuration(a_service("a"), a_service("a")), (("ns", "a"),), id="the same"),
        pytest.param(a_configuration({"url": "https://x"}, "odd"), (), id="none"),
        pytest.param(a_configuration(webhooks="odd"), (), id="odd webhooks"),
        pytest.param(a_configuration(webhooks=["odd"]), (), id="odd webhook"),
    ],
)
def test_called_services_are_those_behind_the_webhooks(configuration: dict[str, Any], expected: object) -> None:
    assert called_services(configuration) == expected


@pytest.mark.parametrize(
    ("slices", "answer"),
    [
        pytest.param([], False, id="no slice"),
        pytest.param([{"endpoints": None}, {}], False, id="empty slices"),
        pytest.param([{"endpoints": [{"conditions": {"ready": False}}]}], False, id="not ready"),
        pytest.param(
            [{}, {"endpoints": [{"conditions": {"ready": False}}, {"conditions": {"ready": True}}]}], True, id="one"
        ),
        pytest.param([{"endpoints": [{}]}], True, id="unknown"),
    ],
)
def test_has_endpoint_wants_one_that_is_ready(slices: list[dict[str, Any]], answer: bool) -> None:
    assert has_endpoint(slices) is answer


def test_failed_webhooks_are_named_by_the_api_server() -> None:
    assert failed_webhooks(f"{REFUSED}\nother\n{REFUSED}") == {"v.example.com"}
    assert failed_webhooks('admission webhook "v.example.com" denied the request: no') == frozenset()


def test_own_webhook_advice_says_what_to_delete() -> None:
    configuration = a_configuration(a_service("svc"))
    assert list(own_webhook_advice(failed_webhooks(REFUSED), [configuration])) == [
        "the revision cannot be written because of its own webhook v.example.com: if its endpoint does not come up, "
        'delete ValidatingWebhookConfiguration "hooks"; it is made again when the endpoint is ready'
    ]
    assert list(own_webhook_advice(frozenset({"x"}), [configuration])) == []
