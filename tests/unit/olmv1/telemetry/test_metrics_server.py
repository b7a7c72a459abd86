"""Answers and memory of the metrics server; the reviews themselves are asked of a real API server in tests/api."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from olmv1.errors import RetryableError
from olmv1.telemetry.listen import BindAddress
from olmv1.telemetry.metrics_server import MetricsServer, new_registry
from tests.certificates import self_signed

TOKENS, ACCESS = "tokenreviews", "subjectaccessreviews"
ALICE = {"username": "alice", "groups": ["g"], "extra": {"k": ["v"]}}


class Answers:
    """A reviewer that answers as told and remembers the questions."""

    def __init__(self) -> None:
        self.answers: dict[str, Mapping[str, Any] | None] = {
            TOKENS: {"authenticated": True, "user": ALICE},
            ACCESS: {"allowed": True},
        }
        self.questions: list[Mapping[str, Any]] = []

    async def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        self.questions.append(body)
        answer = self.answers[path.rpartition("/")[2]]
        if answer is None:
            raise RetryableError("not reachable")
        return {"status": answer}


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def reviewer() -> Answers:
    return Answers()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def server(reviewer: Answers, clock: Clock, tmp_path: Path) -> AsyncIterator[MetricsServer]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*self_signed(tmp_path))
    address = BindAddress("127.0.0.1", 0)
    async with MetricsServer(address, new_registry(), reviewer, context=context, clock=clock) as server:
        yield server


async def scrape(server: MetricsServer, authorization: str | None = "Bearer secret") -> tuple[int, str]:
    headers = {"Authorization": authorization} if authorization else {}
    url = f"https://127.0.0.1:{server.port}/metrics"
    async with aiohttp.ClientSession() as session, session.get(url, headers=headers, ssl=False) as answer:
        return answer.status, await answer.text()


async def test_an_allowed_token_reads_the_standard_series(server: MetricsServer, reviewer: Answers) -> None:
    status, text = await scrape(server)
    assert (status, "process_cpu_seconds_total" in text, "python_info" in text) == (200, True, True)
    assert reviewer.questions == [
        {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "spec": {"token": "secret"}},
        {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "spec": {
                "user": "alice",
                "groups": ["g"],
                "extra": {"k": ["v"]},
                "nonResourceAttributes": {"path": "/metrics", "verb": "get"},
            },
        },
    ]


@pytest.mark.parametrize("authorization", [None, "Basic dXNlcjpwYXNz", "Bearer ", "Bearer"])
async def test_without_a_token_nobody_is_asked(
    server: MetricsServer, reviewer: Answers, authorization: str | None
) -> None:
    assert await scrape(server, authorization) == (401, "Unauthorized\n")
    assert reviewer.questions == []


@pytest.mark.parametrize(
    ("review", "answer", "expected"),
    [
        pytest.param(TOKENS, {"authenticated": False}, (401, "Unauthorized\n"), id="unknown token"),
        pytest.param(TOKENS, None, (500, "Authentication failed\n"), id="no token review"),
        pytest.param(ACCESS, {"allowed": False}, (403, "Authorization denied for user alice\n"), id="denied"),
        pytest.param(ACCESS, None, (500, "Authorization for user alice failed\n"), id="no access review"),
    ],
)
async def test_the_reviews_decide(
    server: MetricsServer, reviewer: Answers, review: str, answer: Mapping[str, Any] | None, expected: tuple[int, str]
) -> None:
    reviewer.answers[review] = answer
    assert await scrape(server) == expected


async def test_an_answer_is_remembered_for_ten_seconds(server: MetricsServer, reviewer: Answers, clock: Clock) -> None:
    for now, questions in ((0.0, 2), (9.9, 2), (10.1, 4)):
        clock.now = now
        await scrape(server)
        assert len(reviewer.questions) == questions
    await scrape(server, "Bearer other")
    assert len(reviewer.questions) == 6


async def test_a_failure_to_ask_is_not_remembered(server: MetricsServer, reviewer: Answers) -> None:
    reviewer.answers[ACCESS] = None
    first = await scrape(server)
    reviewer.answers[ACCESS] = {"allowed": True}
    assert (first[0], (await scrape(server))[0]) == (500, 200)
