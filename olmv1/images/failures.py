"""What went wrong with a registry, in words: foreign errors and statuses become one sentence each.

Pure. A sentence never holds a socket address, a duration that changes
by itself, or a secret; text that a registry sent is cut and cleaned.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import aiohttp
import orjson

from olmv1.connections import reason_of
from olmv1.errors import RetryableError, TerminalError

__all__ = [
    "CUT_ERRORS",
    "RegistryError",
    "TransientError",
    "all_failed",
    "cleaned",
    "explained",
    "failure_of",
    "retry_after_s",
    "status_failure",
]

_TEXT_LIMIT = 200
_RETRY_AFTER_LIMIT_S = 3600.0
_RETRIED = frozenset({408, 429, 500, 502, 503, 504})

CUT_ERRORS = (aiohttp.ClientError, TimeoutError, ConnectionError, ssl.SSLError)
"""What can end the body of an answer that began well."""


class RegistryError(RetryableError):
    """A registry did not give what was asked. `status` is the HTTP status, 0 when there was no answer."""

    def __init__(self, message: str, *, status: int = 0, retry_after_s: float | None = None) -> None:
        super().__init__(message, retry_after_s=retry_after_s)
        self.status = status


class TransientError(RegistryError):
    """A failure that a second try a moment later often heals."""


def failure_of(host: str, error: BaseException) -> RegistryError:
    """The failure that `error`, raised while talking to `host`, stands for."""
    match error:
        case aiohttp.ClientConnectorDNSError():
            return TransientError(f"{host}: {reason_of(error)}")
        case aiohttp.ClientConnectorCertificateError() | aiohttp.ClientConnectorSSLError():
            return RegistryError(f"{host}: {reason_of(error)}")
        case aiohttp.ClientHttpProxyError(status=status):
            return RegistryError(f"{host}: the proxy answered {_status_text(status)}")
        case aiohttp.ClientError() | TimeoutError() | OSError():
            return TransientError(f"{host}: {reason_of(error)}")
        case _:
            raise AssertionError(f"no failure of a registry: {type(error).__name__}") from error


def status_failure(where: str, status: int, body: bytes = b"", wait_s: float | None = None) -> RegistryError:
    """The failure that an answer with `status` stands for; `body` may hold the registry's own explanation."""
    said = _said(body)
    message = f"{where}: {_status_text(status)}{f': {said}' if said else ''}"
    kind = TransientError if status in _RETRIED else RegistryError
    return kind(message, status=status, retry_after_s=wait_s)


def retry_after_s(header: str | None, now: datetime) -> float | None:
    """Seconds that a `Retry-After` header asks for, 0 to 3600; `None` when absent or unreadable."""
    if not header:
        return None
    if header.strip().isdecimal():
        seconds = float(header)
    else:
        try:
            moment = parsedate_to_datetime(header)
        except ValueError:
            return None
        seconds = (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds()
    return min(max(seconds, 0.0), _RETRY_AFTER_LIMIT_S)


def all_failed(failures: Sequence[RegistryError]) -> RegistryError:
    """One failure for all places that were asked: the last one (the registry itself) leads, the mirrors follow."""
    *mirrors, last = failures
    others = "; ".join(str(failure) for failure in mirrors)
    message = f"{last} (mirrors also failed: {others})" if others else str(last)
    waits = [failure.retry_after_s for failure in failures if failure.retry_after_s is not None]
    return RegistryError(message, status=last.status, retry_after_s=min(waits, default=None))


@contextmanager
def explained(step: str) -> Iterator[None]:
    """Put `step` before the message of every error of the domain that passes; its class and waiting time stay."""
    try:
        yield
    except TerminalError as error:
        raise TerminalError(f"{step}: {error}", reason=error.reason) from error
    except RetryableError as error:
        raise RetryableError(f"{step}: {error}", retry_after_s=error.retry_after_s) from error


def cleaned(text: str, limit: int = _TEXT_LIMIT) -> str:
    """`text` from outside as one printable line of at most `limit` characters."""
    line = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _said(body: bytes) -> str:
    """The explanation in a registry's error document; empty when there is none."""
    try:
        document = orjson.loads(body)
        errors = document["errors"]
        return cleaned("; ".join(str(error.get("message") or error.get("code")) for error in errors))
    except (orjson.JSONDecodeError, KeyError, TypeError, AttributeError):
        return ""
