"""A registry on loopback for tests: manifests, blobs with ranges, basic and bearer authentication, TLS, and faults.

Real TCP and TLS. A fault is laid on paths and used up; everything that was asked is in `requests`.
"""

from __future__ import annotations

import asyncio
import base64
import re
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from aiohttp import web

from tests.oci_images import Image, sha256

__all__ = ["Fault", "Login", "Registry", "Request", "running_registry"]

_CHUNK = 16 * 1024


@dataclass(frozen=True)
class Login:
    """Who may read; `kind` is `basic` or `bearer` (with a token server at `/token` of the same registry)."""

    kind: str
    username: str = "me"
    password: str = "secret"
    refresh_token: str = ""
    token_life_s: int = 300

    @property
    def basic(self) -> str:
        return "Basic " + base64.b64encode(f"{self.username}:{self.password}".encode()).decode()


@dataclass
class Fault:
    """What goes wrong with requests whose `METHOD path` matches `pattern`, `times` times.

    `status` answers at once; `cut_after` ends the connection after so many bytes of the body; `content` replaces it;
    `redirect` sends elsewhere; `is_silent` never answers; `without` removes a header or (`Range`) ignores it.
    """

    pattern: str
    times: int = 1
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    cut_after: int | None = None
    content: bytes | None = None
    redirect: str = ""
    is_silent: bool = False
    without: str = ""


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.method} {self.path}"


class Registry:
    """The content and the behaviour of one registry; `host` is `127.0.0.1:<port>` while it runs."""

    def __init__(self, login: Login | None = None) -> None:
        self.host = ""
        self.scheme = "https"
        self.login = login
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.tokens: list[str] = []
        self._blobs: dict[str, bytes] = {}
        self._manifests: dict[tuple[str, str], tuple[bytes, str]] = {}

    def push(self, repository: str, tag: str, image: Image) -> str:
        """Store `image`; its canonical reference."""
        self._blobs |= image.blobs
        for digest, child in image.children.items():
            self._manifests[repository, digest] = child
        for name in (tag, image.digest):
            self._manifests[repository, name] = (image.manifest, image.media_type)
        return f"{self.host}/{repository}@{image.digest}"

    def fail(self, fault: Fault) -> None:
        self.faults.append(fault)

    def asked(self) -> list[str]:
        """`METHOD path` of every request, digests cut to twelve characters."""
        return [re.sub(r"(sha256:\w{5})\w+", r"\1", str(request)) for request in self.requests]

    def app(self) -> web.Application:
        app = web.Application(client_max_size=64 * 1024 * 1024)
        app.router.add_route("*", "/{path:.*}", self._serve)
        return app

    async def _serve(self, request: web.Request) -> web.StreamResponse:
        form = {key: str(value) for key, value in (await request.post()).items()}
        self.requests.append(Request(request.method, request.path, dict(request.headers), form))
        fault = self._fault(f"{request.method} {request.path}")
        if fault.is_silent:
            await asyncio.Event().wait()
        if fault.redirect:
            return web.Response(status=307, headers={"Location": fault.redirect})
        if fault.status:
            body = {"errors": [{"code": "FAULT", "message": "as the test wants"}]}
            return web.json_response(body, status=fault.status, headers=dict(fault.headers))
        if request.path == "/token":
            return self._token(request, form)
        if not self._is_authorized(request):
            return self._unauthorized()
        if request.path == "/v2/":
            return web.json_response({})
        return await self._content(request, fault)

    def _fault(self, asked: str) -> Fault:
        for fault in self.faults:
            if fault.times and re.search(fault.pattern, asked):
                fault.times -= 1
                return fault
        return Fault("")

    def _is_authorized(self, request: web.Request) -> bool:
        given = request.headers.get("Authorization", "")
        if self.login is None:
            return True
        return given == self.login.basic if self.login.kind == "basic" else given.removeprefix("Bearer ") in self.tokens

    def _unauthorized(self) -> web.Response:
        challenge = 'Basic realm="tests"'
        if self.login and self.login.kind == "bearer":
            challenge = f'Bearer realm="{self.scheme}://{self.host}/token",service="tests"'
        body = {"errors": [{"code": "UNAUTHORIZED", "message": "authentication required"}]}
        return web.json_response(body, status=401, headers={"WWW-Authenticate": challenge})

    def _token(self, request: web.Request, form: Mapping[str, str]) -> web.Response:
        login = self.login or Login("bearer")
        is_refresh = bool(login.refresh_token) and form.get("refresh_token") == login.refresh_token
        if not is_refresh and request.headers.get("Authorization") != login.basic:
            return web.json_response({"errors": [{"message": "wrong login"}]}, status=401)
        self.tokens.append(f"token-{len(self.tokens)}")
        return web.json_response({"token": self.tokens[-1], "expires_in": login.token_life_s})

    async def _content(self, request: web.Request, fault: Fault) -> web.StreamResponse:
        found = re.fullmatch(r"/v2/(.+)/(manifests|blobs)/([^/]+)", request.path)
        data, media_type = b"", "application/octet-stream"
        if found and found[2] == "manifests" and (found[1], found[3]) in self._manifests:
            data, media_type = self._manifests[found[1], found[3]]
        elif found and found[2] == "blobs" and found[3] in self._blobs:
            data = self._blobs[found[3]]
        else:
            body = {"errors": [{"code": "MANIFEST_UNKNOWN", "message": "manifest unknown"}]}
            return web.json_response(body, status=404)
        headers = {"Docker-Content-Digest": sha256(data)} if fault.without != "Docker-Content-Digest" else {}
        return await self._send(request, fault, data, {"Content-Type": media_type, **headers})

    async def _send(
        self, request: web.Request, fault: Fault, data: bytes, headers: Mapping[str, str]
    ) -> web.StreamResponse:
        data = data if fault.content is None else fault.content
        start = 0
        if (asked := request.headers.get("Range")) and fault.without != "Range":
            start = int(asked.removeprefix("bytes=").removesuffix("-"))
        status = 206 if start else 200
        ranged = {"Content-Range": f"bytes {start}-{len(data) - 1}/{len(data)}"} if start else {}
        response = web.StreamResponse(status=status, headers={**headers, **ranged})
        response.content_length = len(data) - start
        await response.prepare(request)
        if request.method == "HEAD":
            return response
        end = len(data) if fault.cut_after is None else start + fault.cut_after
        for position in range(start, end, _CHUNK):
            await response.write(data[position : min(position + _CHUNK, end)])
        if fault.cut_after is not None and request.transport is not None:
            request.transport.close()
        return response


@asynccontextmanager
async def running_registry(context: ssl.SSLContext | None, login: Login | None = None) -> AsyncIterator[Registry]:
    """A registry on a free port of 127.0.0.1, over TLS when `context` is given."""
    registry = Registry(login)
    registry.scheme = "https" if context else "http"
    runner = web.AppRunner(registry.app(), shutdown_timeout=0.1, access_log=None)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context)
        await site.start()
        registry.host = f"127.0.0.1:{runner.addresses[0][1]}"
        yield registry
    finally:
        await runner.cleanup()
