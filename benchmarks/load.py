"""A load generator for HTTPS on loopback, as a program of its own: `python -m benchmarks.load URL --ca FILE …`.

Each connection asks for the same URL again as soon as an answer is complete; bodies are counted and thrown away. It
prints `ready` when all are connected, ends after so many seconds or answers or at SIGTERM, and prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import signal
import ssl
import sys
import time
import urllib.parse
from collections import Counter
from dataclasses import dataclass, field

import uvloop

__all__ = ["main"]

_LAST_CHUNK = b"0\r\n\r\n"


@dataclass(slots=True)
class _Plan:
    """What all connections share: the request, when to stop, and what was seen."""

    request: bytes
    answers_wanted: int
    pause_s: float
    done: asyncio.Event
    started: float = 0.0
    ended: float = 0.0
    sent: int = 0
    body_bytes: int = 0
    latencies_s: list[float] = field(default_factory=list)
    statuses: Counter[str] = field(default_factory=Counter)


class _Connection(asyncio.Protocol):
    """One keep-alive connection."""

    def __init__(self, plan: _Plan) -> None:
        self._plan = plan
        self._transport: asyncio.Transport | None = None
        self._head = b""
        self._tail = b""
        self._left: int | None = None
        self._is_chunked = False
        self._asked = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self._transport = transport

    def ask(self) -> None:
        """Send the request, unless enough were sent."""
        plan = self._plan
        if plan.sent >= plan.answers_wanted or self._transport is None or plan.done.is_set():
            return
        plan.sent += 1
        self._head, self._tail, self._left, self._is_chunked = b"", b"", None, False
        self._asked = time.monotonic()
        self._transport.write(plan.request)

    def data_received(self, data: bytes) -> None:
        if self._left is None and not self._is_chunked:
            self._head += data
            head, found, body = self._head.partition(b"\r\n\r\n")
            if not found:
                return
            self._read_head(head)
            data = body
        self._plan.body_bytes += len(data)
        if self._is_chunked:
            self._tail = (self._tail + data)[-len(_LAST_CHUNK) :]
            is_complete = self._tail == _LAST_CHUNK
        else:
            self._left = (self._left or 0) - len(data)
            is_complete = self._left <= 0
        if is_complete:
            self._complete()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._plan.done.is_set():
            self._plan.statuses[f"connection lost: {exc}"] += 1
            self._plan.done.set()

    def close(self) -> None:
        """Break the connection."""
        if self._transport is not None:
            self._transport.abort()

    def _read_head(self, head: bytes) -> None:
        first, *lines = head.lower().split(b"\r\n")
        headers = dict(line.split(b": ", 1) for line in lines)
        self._plan.statuses[first.split()[1].decode()] += 1
        self._is_chunked = headers.get(b"transfer-encoding") == b"chunked"
        self._left = None if self._is_chunked else int(headers.get(b"content-length", b"0"))

    def _complete(self) -> None:
        plan = self._plan
        plan.ended = time.monotonic()
        plan.latencies_s.append(plan.ended - self._asked)
        if len(plan.latencies_s) >= plan.answers_wanted:
            plan.done.set()
        elif plan.pause_s:
            asyncio.get_running_loop().call_later(plan.pause_s, self.ask)
        else:
            self.ask()


async def _run(options: argparse.Namespace) -> _Plan:
    url = urllib.parse.urlsplit(options.url)
    lines = [f"GET {url.path}{'?' if url.query else ''}{url.query} HTTP/1.1", f"Host: {url.netloc}"]
    if options.encoding != "identity":
        lines.append(f"Accept-Encoding: {options.encoding}")
    request = "\r\n".join([*lines, "", ""]).encode()
    plan = _Plan(request, options.answers, options.pause_ms / 1000, asyncio.Event())
    context = ssl.create_default_context(cafile=options.ca)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, plan.done.set)
    connections = []
    for _ in range(options.connections):
        _, connection = await loop.create_connection(
            lambda: _Connection(plan), url.hostname, url.port, ssl=context, server_hostname="localhost"
        )
        connections.append(connection)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    plan.started = time.monotonic()
    for connection in connections:
        connection.ask()
    try:
        async with asyncio.timeout(options.seconds):
            await plan.done.wait()
    except TimeoutError:
        plan.done.set()
    for connection in connections:
        connection.close()
    return plan


def main() -> None:
    """Generate load as told on the command line and print what came back."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--ca", required=True)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--answers", type=int, default=1_000_000)
    parser.add_argument("--encoding", default="identity")
    parser.add_argument("--pause-ms", type=float, default=0.0)
    plan = uvloop.run(_run(parser.parse_args()))
    result = {
        "seconds": plan.ended - plan.started,
        "body_bytes": plan.body_bytes,
        "latencies_s": sorted(plan.latencies_s),
        "statuses": plan.statuses,
    }
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
