from __future__ import annotations

from collections.abc import AsyncIterator

import aiohttp
import pytest

from olmv1.telemetry.probes import Probes


class Condition:
    """A part of the process that may be broken."""

    def __init__(self) -> None:
        self.problem: str | None = None

    def __call__(self) -> str | None:
        return self.problem


@pytest.fixture
def caches() -> Condition:
    return Condition()


@pytest.fixture
async def probes(caches: Condition) -> AsyncIterator[Probes]:
    probes = Probes("127.0.0.1", 0)
    probes.add_check("caches", caches)
    probes.add_check("loop", lambda: None, is_liveness=True)
    async with probes:
        yield probes


async def ask(probes: Probes, path: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"http://127.0.0.1:{probes.port}{path}") as answer:
        return answer.status, await answer.text()


@pytest.mark.parametrize("path", ["/healthz", "/healthz/", "/readyz", "/readyz/caches", "/healthz/ping"])
async def test_a_healthy_process_answers_ok(probes: Probes, path: str) -> None:
    assert await ask(probes, path) == (200, "ok")


async def test_a_failed_check_makes_the_process_not_ready_but_alive(probes: Probes, caches: Condition) -> None:
    caches.problem = "ClusterExtensions are not listed yet"
    report = "[+]ping ok\n[-]caches failed: ClusterExtensions are not listed yet\n[+]loop ok\nreadyz check failed\n"
    assert await ask(probes, "/readyz") == (500, report)
    assert await ask(probes, "/readyz/caches") == (500, "ClusterExtensions are not listed yet\n")
    assert await ask(probes, "/healthz") == (200, "ok")


async def test_verbose_names_every_check(probes: Probes) -> None:
    assert await ask(probes, "/healthz?verbose") == (200, "[+]ping ok\n[+]loop ok\nhealthz check passed\n")


async def test_excluded_checks_do_not_count(probes: Probes, caches: Condition) -> None:
    caches.problem = "broken"
    report = (
        "[+]ping ok\n[+]loop ok\n[+]caches excluded: ok\n"
        'warn: some health checks cannot be excluded: no matches for "other"\nreadyz check passed\n'
    )
    assert await ask(probes, "/readyz?exclude=caches&exclude=other&verbose") == (200, report)


async def test_an_unknown_check_is_not_found(probes: Probes) -> None:
    assert await ask(probes, "/readyz/other") == (404, 'no check "other" in readyz\n')
