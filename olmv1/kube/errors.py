"""The one table that turns answers of the API server into errors of the domain.

`error_of` is called by the client and the watch; every other room catches the classes. No I/O.
"""

# The classes carry the names that the API gives its refusals; a suffix would say twice what they are.
# ruff: noqa: N818

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from olmv1.errors import RetryableError

__all__ = [
    "AlreadyExists",
    "ApiError",
    "BadRequest",
    "Conflict",
    "Forbidden",
    "Gone",
    "Invalid",
    "NotFound",
    "NotLeading",
    "ServerError",
    "TooManyRequests",
    "Unauthorized",
    "Unreachable",
    "error_of",
    "error_of_status",
]


class ApiError(RetryableError):
    """The API server refused; `str(error)` is the message of its Status.

    `status` is the HTTP status (0: no answer came), `reason` the machine word (`AlreadyExists`), `details` the
    `details` of the Status (causes of an invalid object, the field managers of a conflict).
    """

    def __init__(
        self,
        message: str,
        *,
        status: int = 0,
        reason: str = "",
        details: Mapping[str, Any] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.status = status
        self.reason = reason
        self.details: Mapping[str, Any] = details or {}

    @property
    def is_field_conflict(self) -> bool:
        """Whether a server-side apply was refused because another manager owns a field with another value."""
        return any("FieldManagerConflict" in str(cause.get("reason")) for cause in self.details.get("causes") or ())


class BadRequest(ApiError):
    """400: the request itself is malformed."""


class Unauthorized(ApiError):
    """401: the credentials are not accepted."""


class Forbidden(ApiError):
    """403: the identity lacks a right, or an admission rule says no."""


class NotFound(ApiError):
    """404: neither the object nor, possibly, its kind exists."""


class Conflict(ApiError):
    """409: the object has moved on, or other field managers own the fields (`details["causes"]`)."""


class AlreadyExists(Conflict):
    """409 with reason `AlreadyExists`: an object of this name is there."""


class Gone(ApiError):
    """410: the resource version or the page is too old; list again."""


class Invalid(ApiError):
    """422: validation or a CEL rule refused the object."""


class TooManyRequests(ApiError):
    """429: ask again after `retry_after_s`."""


class ServerError(ApiError):
    """Any 5xx answer."""


class Unreachable(ApiError):
    """No answer: connection, TLS or deadline; `status` is 0.

    `details["address"]` is the URL of the server: it is for people who chose it, and in no message of a status.
    """


class NotLeading(RetryableError):
    """A write was not sent: this replica is not, or no longer, the one that may write."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    410: Gone,
    422: Invalid,
    429: TooManyRequests,
}


def error_of(status: int, body: bytes, *, request: str, retry_after_s: float | None = None) -> ApiError:
    """The error for an answer of HTTP status `status`; `request` (`GET /api/v1/pods`) names it when no Status came."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        document = None
    if isinstance(document, dict) and document.get("kind") == "Status":
        return error_of_status({"code": status, **document}, retry_after_s=retry_after_s)
    text = " ".join(body[:200].decode("utf-8", "replace").split())
    message = f"{request}: expected a Kubernetes answer, found HTTP {status}" + (f": {text}" if text else "")
    return _class_of(status, "")(message, status=status, retry_after_s=retry_after_s)


def error_of_status(document: Mapping[str, Any], *, retry_after_s: float | None = None) -> ApiError:
    """The error for a Status object, as it comes in an answer or in an `ERROR` event of a watch."""
    status, reason = int(document.get("code") or 500), str(document.get("reason") or "")
    details = document.get("details") or {}
    if retry_after_s is None and details.get("retryAfterSeconds"):
        retry_after_s = float(details["retryAfterSeconds"])
    message = str(document.get("message") or reason or f"HTTP {status}")
    kind = _class_of(status, reason)
    return kind(message, status=status, reason=reason, details=details, retry_after_s=retry_after_s)


def _class_of(status: int, reason: str) -> type[ApiError]:
    if reason == "AlreadyExists":
        return AlreadyExists
    if reason == "Expired":
        return Gone
    return _BY_STATUS.get(status) or (ServerError if status >= 500 else ApiError)
