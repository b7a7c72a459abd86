from __future__ import annotations

import json

import pytest

from olmv1.kube import errors
from olmv1.kube.errors import ApiError, error_of, error_of_status
from tests.fake_apiserver import status_of


@pytest.mark.parametrize(
    ("code", "reason", "kind"),
    [
        pytest.param(400, "BadRequest", errors.BadRequest, id="400"),
        pytest.param(401, "Unauthorized", errors.Unauthorized, id="401"),
        pytest.param(403, "Forbidden", errors.Forbidden, id="403"),
        pytest.param(404, "NotFound", errors.NotFound, id="404"),
        pytest.param(409, "Conflict", errors.Conflict, id="409"),
        pytest.param(409, "AlreadyExists", errors.AlreadyExists, id="409 exists"),
        pytest.param(410, "Gone", errors.Gone, id="410"),
        pytest.param(400, "Expired", errors.Gone, id="expired"),
        pytest.param(422, "Invalid", errors.Invalid, id="422"),
        pytest.param(429, "TooManyRequests", errors.TooManyRequests, id="429"),
        pytest.param(503, "ServiceUnavailable", errors.ServerError, id="503"),
        pytest.param(405, "MethodNotAllowed", ApiError, id="other"),
    ],
)
def test_error_of_chooses_the_class_by_status_and_reason(code: int, reason: str, kind: type[ApiError]) -> None:
    found = error_of(code, json.dumps(status_of(code, reason, "no")).encode(), request="GET /x")
    assert (type(found), str(found), found.status, found.reason) == (kind, "no", code, reason)


def test_error_of_names_the_request_when_no_status_came() -> None:
    found = error_of(502, b"<h1>Bad\n gateway</h1>", request="GET /api/v1/pods")
    assert str(found) == "GET /api/v1/pods: expected a Kubernetes answer, found HTTP 502: <h1>Bad gateway</h1>"


def test_error_of_names_the_request_when_nothing_came() -> None:
    assert str(error_of(503, b"", request="GET /x")) == "GET /x: expected a Kubernetes answer, found HTTP 503"


def test_error_of_status_takes_the_delay_from_the_details() -> None:
    document = {**status_of(429, "TooManyRequests", "slow down"), "details": {"retryAfterSeconds": 7}}
    assert error_of_status(document).retry_after_s == 7.0


def test_error_of_prefers_the_header_for_the_delay() -> None:
    document = {**status_of(429, "TooManyRequests", "slow down"), "details": {"retryAfterSeconds": 7}}
    assert error_of(429, json.dumps(document).encode(), request="GET /x", retry_after_s=2.0).retry_after_s == 2.0


@pytest.mark.parametrize(
    ("details", "is_field_conflict"),
    [
        pytest.param({"causes": [{"reason": "Other"}, {"reason": "FieldManagerConflict"}]}, True, id="fields"),
        pytest.param({"causes": [{"message": "changed"}]}, False, id="other cause"),
        pytest.param({"name": "till"}, False, id="resource version"),
    ],
)
def test_is_field_conflict_tells_field_managers_from_versions(
    details: dict[str, object], is_field_conflict: bool
) -> None:
    found = error_of_status({**status_of(409, "Conflict", "no"), "details": details})
    assert found.is_field_conflict is is_field_conflict
