"""Why a connection gave no answer, in words: exceptions of the HTTP client become a phrase each.

Pure. A phrase never holds a socket address, an object of Python, or anything else that differs from try to try, so
that it can stand in a status. Called by every room that talks to a server.
"""

from __future__ import annotations

import socket
import ssl

import aiohttp

__all__ = ["reason_of"]

_TEXT_LIMIT = 200


def reason_of(error: BaseException) -> str:
    """A phrase such as `connection refused`; the caller puts the host before it."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return "no such host"
        case aiohttp.ClientConnectorCertificateError(certificate_error=ssl.SSLCertVerificationError() as cause):
            return f"its certificate is not trusted: {cause.verify_message}"
        case aiohttp.ClientConnectorSSLError():
            return f"TLS handshake failed: {_ssl_reason(error.os_error)}"
        case aiohttp.ClientProxyConnectionError():
            return f"the proxy cannot be reached: {_os_reason(error.os_error)}"
        case aiohttp.ClientConnectorError():
            return _os_reason(error.os_error)
        case TimeoutError():
            return "timed out"
        case _:
            return "the connection was cut"


def _os_reason(error: OSError | None) -> str:
    match error:
        case ConnectionRefusedError():
            return "connection refused"
        case TimeoutError():
            return "timed out"
        case socket.gaierror():
            return "no such host"
        case ConnectionError():
            return "the connection was cut"
        case OSError(strerror=str() as reason) if reason and "Connect call failed" not in reason:
            return " ".join(reason.split())[:_TEXT_LIMIT].lower()
        case _:
            return "cannot connect"


def _ssl_reason(error: OSError | None) -> str:
    reason = getattr(error, "reason", None)
    if reason in {"WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE"}:
        return "the server does not speak TLS"
    return str(reason).lower().replace("_", " ") if reason else "the connection was cut"
