from __future__ import annotations

from typing import Any

import pytest

from operator_controller.revisions.certified import secret_key, serving_secret, trusted_secret
from tests.builders import an_object

EXTRAS = "extras.olm.operatorframework.io"


def marked(kind: str, api_version: str = "v1", *, namespace: str = "ns", **marks: str) -> dict[str, Any]:
    annotations = {f"{EXTRAS}/{name.replace('_', '-')}": value for name, value in marks.items()}
    return an_object(kind, "x", api_version, metadata={"namespace": namespace, "annotations": annotations})


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param(marked("Service", serving_cert="cert"), ("ns", "cert"), id="service"),
        pytest.param(marked("Service", serving_cert=""), None, id="empty"),
        pytest.param(marked("Service", serving_cert="cert", namespace=""), None, id="no namespace"),
        pytest.param(marked("ConfigMap", serving_cert="cert"), None, id="other kind"),
        pytest.param(marked("Service", "serving.knative.dev/v1", serving_cert="cert"), None, id="other group"),
        pytest.param(an_object("Service"), None, id="no mark"),
    ],
)
def test_serving_secret_is_that_of_a_marked_service(manifest: dict[str, Any], expected: object) -> None:
    assert serving_secret(manifest) == expected


ADMISSION = "admissionregistration.k8s.io/v1"


@pytest.mark.parametrize(
    ("manifest", "expected"),
    [
        pytest.param(marked("ValidatingWebhookConfiguration", ADMISSION, inject_ca="a/b"), ("a", "b"), id="validating"),
        pytest.param(marked("MutatingWebhookConfiguration", ADMISSION, inject_ca="a/b"), ("a", "b"), id="mutating"),
        pytest.param(
            marked("CustomResourceDefinition", "apiextensions.k8s.io/v1", inject_ca="a/b"), ("a", "b"), id="crd"
        ),
        pytest.param(marked("ValidatingWebhookConfiguration", ADMISSION, inject_ca="a"), None, id="no name"),
        pytest.param(marked("ValidatingWebhookConfiguration", ADMISSION, inject_ca="/b"), None, id="no namespace"),
        pytest.param(marked("Secret", inject_ca="a/b"), None, id="other kind"),
    ],
)
def test_trusted_secret_is_that_of_a_marked_caller(manifest: dict[str, Any], expected: object) -> None:
    assert trusted_secret(manifest) == expected


def test_secret_key_is_an_identity() -> None:
    assert str(secret_key(("a", "b"))) == "Secret.v1 a/b"
