from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import Any

import pytest

from olmv1.manifests import Manifest, key_of
from operator_controller.certificates import Issued, ServingPair
from operator_controller.revisions.certified import secret_key
from operator_controller.revisions.ownership import CollisionProtection
from operator_controller.revisions.plan import PlannedObject
from tests.builders import an_object

PLACE = ("ns", "cert")
BUNDLE = base64.b64encode(b"roots").decode()
LOOK = datetime(2026, 1, 1, tzinfo=UTC)
SERVICE = {"service": {"namespace": "ns", "name": "svc"}}


def issued(bundle: str = "roots", certificate: str = "leaf") -> Issued:
    return Issued(bundle, {PLACE: ServingPair(certificate, "key")}, LOOK, owner_kind="ClusterExtension")


def planned(manifest: Manifest, trusts: tuple[str, str] | None = PLACE) -> PlannedObject:
    return PlannedObject(key_of(manifest), "d", CollisionProtection.PREVENT, (0, 0), trusts=trusts)


MADE = PlannedObject(secret_key(PLACE), "", CollisionProtection.PREVENT, None)


def webhooks(*clients: Any) -> dict[str, Any]:
    calls = [{"name": "w", "clientConfig": client} for client in clients]
    return an_object("MutatingWebhookConfiguration", "m", "admissionregistration.k8s.io/v1", webhooks=calls)


def crd(conversion: Any) -> dict[str, Any]:
    spec = {"group": "g", "conversion": conversion}
    return an_object("CustomResourceDefinition", "c", "apiextensions.k8s.io/v1", spec=spec)


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param(
            webhooks(SERVICE, {"url": "https://x"}, {**SERVICE, "caBundle": "old"}),
            webhooks({**SERVICE, "caBundle": BUNDLE}, {"url": "https://x"}, {**SERVICE, "caBundle": BUNDLE}),
            id="webhooks that call a Service",
        ),
        pytest.param(
            crd({"strategy": "Webhook", "webhook": {"clientConfig": SERVICE, "conversionReviewVersions": ["v1"]}}),
            crd(
                {
                    "strategy": "Webhook",
                    "webhook": {
                        "clientConfig": {**SERVICE, "caBundle": BUNDLE},
                        "conversionReviewVersions": ["v1"],
                    },
                }
            ),
            id="conversion",
        ),
        *(
            pytest.param(manifest, manifest, id=f"nothing to fill in {number}")
            for number, manifest in enumerate(
                [
                    crd({"strategy": "None"}),
                    crd(None),
                    crd({"webhook": {"clientConfig": "odd"}}),
                    {**crd({}), "spec": "odd"},
                    webhooks("odd"),
                    {**webhooks(), "webhooks": "odd"},
                    {**webhooks(), "webhooks": ["odd"]},
                ]
            )
        ),
    ],
)
def test_filled_puts_the_trust_where_a_service_is_called(manifest: dict[str, Any], expected: dict[str, Any]) -> None:
    assert issued().filled(planned(manifest), manifest) == expected


def test_filled_leaves_alone_what_did_not_ask() -> None:
    manifest = webhooks(SERVICE)
    assert issued().filled(planned(manifest, None), manifest) is manifest


def test_secret_is_one_for_tls_with_the_label_of_its_revision() -> None:
    assert issued().secret(MADE) == {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {
            "name": "cert",
            "namespace": "ns",
            "labels": {"olm.operatorframework.io/owner-kind": "ClusterExtension"},
        },
        "type": "kubernetes.io/tls",
        "data": {"tls.crt": base64.b64encode(b"leaf").decode(), "tls.key": base64.b64encode(b"key").decode()},
    }


def test_stamp_changes_with_what_is_filled_in() -> None:
    caller, plain = planned(webhooks(SERVICE)), planned(an_object(), None)
    before, after = issued(), issued("other roots", "other leaf")
    assert [before.stamp(item) == after.stamp(item) for item in (caller, MADE, plain)] == [False, False, True]
    assert before.stamp(plain) == ""


def test_keys_are_never_shown() -> None:
    assert "key" not in repr(ServingPair("leaf", "key")).replace("ServingPair", "")
