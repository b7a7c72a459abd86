"""Answers without content: errors, redirects, conditions. Rule: catalogd-http.md 8 and 14.4."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus

import orjson
from aiohttp import web

__all__ = ["COMMON_HEADERS", "problem", "redirect"]

COMMON_HEADERS: Mapping[str, str] = {"Vary": "Accept-Encoding", "Server": "catalogd"}
"""On every answer, whatever it says."""

_PROBLEM_JSON = "application/problem+json"
RETRY_AFTER_S = 1
"""Seconds that a client is asked to wait for content: an unpack takes about as long."""


def problem(
    request: web.BaseRequest, status: int, text: str = "", *, detail: str = "", headers: Mapping[str, str] | None = None
) -> web.Response:
    """An error answer: `<text>\\n`, or RFC 9457 JSON when the client accepts that; default text `404 Not Found`.

    `detail`: a sentence for the JSON form where `text` is fixed by the specification.
    """
    title = HTTPStatus(status).phrase
    text = text or f"{status} {title}"
    own = {**COMMON_HEADERS, "X-Content-Type-Options": "nosniff", **(headers or {})}
    if _PROBLEM_JSON in request.headers.get("Accept", ""):
        body = orjson.dumps({"type": "about:blank", "title": title, "status": status, "detail": detail or text})
        return web.Response(status=status, body=body, headers={**own, "Content-Type": _PROBLEM_JSON})
    body = f"{text}\n".encode()
    return web.Response(status=status, body=body, headers={**own, "Content-Type": "text/plain; charset=utf-8"})


def redirect(path: str, query: str) -> web.Response:
    """307 to the cleaned path, with the same query."""
    location = f"{path}?{query}" if query else path
    return web.Response(status=307, headers={**COMMON_HEADERS, "Location": location})
