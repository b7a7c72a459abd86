from __future__ import annotations

from typing import Any

import pytest

from olmv1.manifests import key_of
from operator_controller.revisions.guards import guarded_keys
from tests.builders import an_object

GROUP = "lights.example.com"
LANTERN = an_object("Lantern", "one", f"{GROUP}/v1")


def webhooks(**rule: Any) -> dict[str, Any]:
    usual = {"apiGroups": [GROUP], "operations": ["CREATE", "UPDATE"], "resources": ["lanterns"]}
    calls = [{"name": "w", "rules": [{**usual, **rule}]}]
    return an_object("ValidatingWebhookConfiguration", "w", "admissionregistration.k8s.io/v1", webhooks=calls)


def crd(kind: str = "Lantern", plural: str = "lanterns", strategy: str = "None") -> dict[str, Any]:
    spec = {"group": GROUP, "names": {"kind": kind, "plural": plural}, "conversion": {"strategy": strategy}}
    return an_object("CustomResourceDefinition", "c", "apiextensions.k8s.io/v1", spec=spec)


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([webhooks()], id="likely plural"),
        pytest.param([webhooks(resources=["lanterns/*"])], id="with all parts"),
        pytest.param([webhooks(apiGroups=["*"], resources=["*"], operations=["*"])], id="everything"),
        pytest.param([webhooks(resources=["lampen"]), crd(plural="lampen")], id="plural of the CRD"),
        pytest.param([crd(strategy="Webhook")], id="converted"),
    ],
)
def test_guarded_keys_finds_custom_resources_that_a_webhook_is_called_for(others: list[dict[str, Any]]) -> None:
    assert guarded_keys([LANTERN, *others]) == {key_of(LANTERN)}


@pytest.mark.parametrize(
    "others",
    [
        pytest.param([], id="no webhook"),
        pytest.param([webhooks(apiGroups=["other.example.com"])], id="other group"),
        pytest.param([webhooks(resources=["lamps"])], id="other resource"),
        pytest.param([webhooks(resources=["lanterns/status"])], id="part of it"),
        pytest.param([webhooks(operations=["DELETE"])], id="only deletion"),
        pytest.param([webhooks(), crd(plural="lampen")], id="the CRD has another plural"),
        pytest.param([webhooks(resources="lanterns"), webhooks(operations=None), crd(strategy="")], id="odd values"),
        pytest.param([{**webhooks(), "webhooks": "odd"}, {**webhooks(), "webhooks": ["odd"]}], id="odd webhooks"),
        pytest.param([{**crd(), "spec": "odd"}], id="odd CRD"),
    ],
)
def test_guarded_keys_leaves_out_what_no_webhook_sees(others: list[dict[str, Any]]) -> None:
    assert guarded_keys([LANTERN, *others]) == frozenset()


def test_guarded_keys_never_holds_what_a_webhook_server_is_made_of() -> None:
    everything = webhooks(apiGroups=["*"], resources=["*/*"])
    parts = [
        an_object("Deployment", "d", "apps/v1"),
        an_object("StatefulSet", "s", "apps/v1"),
        an_object("Secret", "s"),
        an_object("Role", "r", "rbac.authorization.k8s.io/v1"),
        an_object("NetworkPolicy", "n", "networking.k8s.io/v1"),
    ]
    gateway = an_object("Gateway", "g", "gateway.networking.k8s.io/v1")
    assert guarded_keys([everything, *parts, gateway]) == {key_of(gateway)}
