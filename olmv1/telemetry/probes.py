"""`/healthz` and `/readyz`: whether the process works, told by the checks that its parts register.

Answers read like those of the Kubernetes components: `?verbose`, `?exclude=<check>` and `/readyz/<check>`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from types import TracebackType

from aiohttp import web

from olmv1.telemetry.listen import BindAddress, Server

__all__ = ["Check", "Probes"]

Check = Callable[[], str | None]
"""Says what is wrong in one line without secrets, or `None`; quick, and answers from memory."""


class Probes:
    """The two probes of a process on one port.

    A failed check of `/healthz` has the process restarted, so only what a restart can heal belongs there; everything
    else is told by `/readyz`. Both answer `ok` as soon as the server runs and no check objects.
    """

    def __init__(self, host: str | None, port: int) -> None:
        self._checks: dict[str, dict[str, Check]] = {"healthz": {"ping": _ping}, "readyz": {"ping": _ping}}
        app = web.Application()
        for probe in self._checks:
            app.router.add_get(f"/{probe}", self._answer_all)
            app.router.add_get(f"/{probe}/", self._answer_all)
            app.router.add_get(f"/{probe}/{{check}}", self._answer_one)
        self._server = Server(app, BindAddress(host, port))

    def add_check(self, name: str, check: Check, *, is_liveness: bool = False) -> None:
        """Let `check` decide over readiness, and over liveness too with `is_liveness`."""
        self._checks["readyz"][name] = check
        if is_liveness:
            self._checks["healthz"][name] = check

    @property
    def port(self) -> int:
        """The port that is listened on; known once the server is open."""
        return self._server.port

    async def run(self) -> None:
        """Answer until cancelled."""
        async with self:
            await asyncio.Event().wait()

    async def __aenter__(self) -> Probes:
        await self._server.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._server.__aexit__(kind, problem, trace)

    async def _answer_all(self, request: web.Request) -> web.Response:
        probe = request.path.strip("/")
        excluded = set(request.query.getall("exclude", ()))
        checks = {name: check for name, check in self._checks[probe].items() if name not in excluded}
        problems = {name: check() for name, check in checks.items()}
        is_ok = not any(problems.values())
        if is_ok and "verbose" not in request.query:
            return _text(200, "ok")
        lines = _report(problems, excluded & set(self._checks[probe]))
        unknown = sorted(excluded - set(self._checks[probe]))
        if unknown:
            names = ", ".join(f'"{name}"' for name in unknown)
            lines.append(f"warn: some health checks cannot be excluded: no matches for {names}")
        lines.append(f"{probe} check {'passed' if is_ok else 'failed'}")
        return _text(200 if is_ok else 500, "\n".join(lines) + "\n")

    async def _answer_one(self, request: web.Request) -> web.Response:
        probe, name = request.path.split("/")[1], request.match_info["check"]
        check = self._checks[probe].get(name)
        if check is None:
            return _text(404, f'no check "{name}" in {probe}\n')
        problem = check()
        return _text(200, "ok") if not problem else _text(500, f"{problem}\n")


def _ping() -> str | None:
    return None


def _report(problems: Mapping[str, str | None], excluded: set[str]) -> list[str]:
    lines = [f"[-]{name} failed: {problem}" if problem else f"[+]{name} ok" for name, problem in problems.items()]
    return lines + [f"[+]{name} excluded: ok" for name in sorted(excluded)]


def _text(status: int, text: str) -> web.Response:
    headers = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-cache, private"}
    return web.Response(status=status, text=text, headers=headers)
