"""Foreign errors as sentences."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.images.failures import (
    RegistryError,
    TransientError,
    all_failed,
    cleaned,
    explained,
    failure_of,
    retry_after_s,
    status_failure,
)

KEY = ConnectionKey("r", 443, True, True, None, None, None, None)
NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("error", "kind", "text"),
    [
        (aiohttp.ClientConnectorDNSError(KEY, OSError()), TransientError, "r: no such host"),
        (aiohttp.ClientConnectorError(KEY, ConnectionRefusedError()), TransientError, "r: connection refused"),
        (aiohttp.ClientConnectorError(KEY, TimeoutError()), TransientError, "r: timed out"),
        (aiohttp.ClientConnectorError(KEY, socket.gaierror()), TransientError, "r: no such host"),
        (aiohttp.ClientConnectorError(KEY, ConnectionResetError()), TransientError, "r: the connection was cut"),
        (aiohttp.ClientConnectorError(KEY, OSError(113, "No route to host")), TransientError, "r: no route to host"),
        (
            aiohttp.ClientConnectorError(KEY, OSError(5, "Connect call failed ('::1', 5)")),
            TransientError,
            "r: cannot connect",
        ),
        (
            aiohttp.ClientProxyConnectionError(KEY, ConnectionRefusedError()),
            TransientError,
            "r: the proxy cannot be reached: connection refused",
        ),
        (
            aiohttp.ClientConnectorSSLError(KEY, ssl.SSLError()),
            RegistryError,
            "r: TLS handshake failed: the connection was cut",
        ),
        (aiohttp.ServerTimeoutError(), TransientError, "r: timed out"),
        (aiohttp.ServerDisconnectedError(), TransientError, "r: the connection was cut"),
        (aiohttp.ClientPayloadError(), TransientError, "r: the connection was cut"),
        (ConnectionResetError(), TransientError, "r: the connection was cut"),
    ],
)
def test_failure_of_says_it_in_words(error: Exception, kind: type[RegistryError], text: str) -> None:
    failure = failure_of("r", error)
    assert (type(failure), str(failure)) == (kind, text)


def test_failure_of_knows_only_errors_of_the_network() -> None:
    with pytest.raises(AssertionError, match="^no failure of a registry: KeyError$"):
        failure_of("r", KeyError())


@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (
            404,
            b'{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}',
            "r: 404 Not Found: manifest unknown",
        ),
        (
            403,
            b'{"errors":[{"code":"DENIED"},{"message":"ask\\nyour \\u001b[1madmin"}]}',
            "r: 403 Forbidden: DENIED; ask your [1madmin",
        ),
        (500, b"<html>", "r: 500 Internal Server Error"),
        (418, b'{"errors": 1}', "r: 418 I'm a Teapot"),
        (799, b"[]", "r: 799"),
    ],
)
def test_status_failure_quotes_the_registry(status: int, body: bytes, text: str) -> None:
    assert str(status_failure("r", status, body)) == text


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("7", 7.0),
        ("999999", 3600.0),
        ("Thu, 01 Jan 2026 00:01:00 GMT", 60.0),
        ("Thu, 01 Jan 2026 00:01:00", 60.0),
        ("Wed, 31 Dec 2025 00:00:00 GMT", 0.0),
    ],
)
def test_retry_after_reads_seconds_and_dates(header: str | None, seconds: float | None) -> None:
    assert retry_after_s(header, NOW) == seconds


def test_all_failed_leads_with_the_registry_itself() -> None:
    failures = [
        RegistryError("m1: a", retry_after_s=9),
        RegistryError("m2: b"),
        RegistryError("r: c", status=404, retry_after_s=20),
    ]
    failure = all_failed(failures)
    assert (str(failure), failure.status, failure.retry_after_s) == ("r: c (mirrors also failed: m1: a; m2: b)", 404, 9)
    assert str(all_failed(failures[2:])) == "r: c"


@pytest.mark.parametrize(
    "error",
    [TerminalError("why", reason="Absent"), RetryableError("why", retry_after_s=3)],
    ids=["terminal", "retryable"],
)
def test_explained_keeps_class_reason_and_time(error: OlmError) -> None:
    with pytest.raises(type(error)) as caught, explained("step"):
        raise error
    assert str(caught.value) == "step: why"
    for name in ("reason", "retry_after_s"):
        assert getattr(caught.value, name, None) == getattr(error, name, None)


def test_cleaned_cuts_long_text() -> None:
    assert cleaned("a \t\n b" + "x" * 300) == "a b" + "x" * 196 + "…"
