from __future__ import annotations

import ssl

import aiohttp
import pytest
from aiohttp.client_reqrep import ConnectionKey

from olmv1.connections import reason_of

KEY = ConnectionKey("r", 443, True, True, None, None, None, None)
UNTRUSTED = ssl.SSLCertVerificationError()
UNTRUSTED.verify_message = "certificate has expired"


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (aiohttp.ClientConnectorError(KEY, ConnectionRefusedError(111, "Connect call failed")), "connection refused"),
        (
            aiohttp.ClientConnectorCertificateError(KEY, UNTRUSTED),
            "its certificate is not trusted: certificate has expired",
        ),
        (aiohttp.ClientConnectorError(KEY, OSError(101, "Network is\nunreachable")), "network is unreachable"),
        (aiohttp.ServerDisconnectedError(), "the connection was cut"),
    ],
)
def test_reason_is_the_same_from_try_to_try(error: Exception, text: str) -> None:
    assert reason_of(error) == text
