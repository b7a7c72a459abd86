"""The audit log of a cluster's API server: which requests clients made, for tests that count them.

Reads a file and returns values; used by tests and benchmarks.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["AuditLog", "Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as the API server saw it.

    `as_user` is empty unless another user was impersonated; `code` is an HTTP status; `user_agent` tells two components
    with one identity apart; `received_at` is RFC 3339 with microseconds.
    """

    user: str
    as_user: str
    verb: str
    uri: str
    code: int
    user_agent: str
    received_at: str

    @property
    def is_write(self) -> bool:
        """Whether it changed something, had it been allowed and no dry run."""
        return self.verb in ("create", "update", "patch", "delete", "deletecollection")


_LONGEST_LINE = 1024 * 1024


class AuditLog:
    """The requests since the start of a cluster; at most a few milliseconds behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def position(self) -> int:
        """A mark: `requests(since=mark)` gives what came after it; a line half written counts as after."""
        if not self.path.exists():
            return 0
        with self.path.open("rb") as file:
            end = file.seek(0, os.SEEK_END)
            start = max(0, end - _LONGEST_LINE)
            file.seek(start)
            return start + file.read(end - start).rfind(b"\n") + 1

    def requests(self, *, user: str = "", since: int = 0) -> list[Request]:
        """Requests in the order they ended (a watch: began), of users whose name contains `user`.

        A watch is there once, also when it is still open.
        """
        seen: set[str] = set()
        found = []
        for event in self._events(since):
            if event["auditID"] in seen:
                continue
            seen.add(event["auditID"])
            request = _request_of(event)
            if user in request.user:
                found.append(request)
        return found

    def _events(self, since: int) -> Iterator[Mapping[str, Any]]:
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            file.seek(since)
            for line in file:
                if line.endswith(b"\n"):  # the last line may still be in the writing
                    yield json.loads(line)


def _request_of(event: Mapping[str, Any]) -> Request:
    return Request(
        user=event["user"].get("username", ""),
        as_user=event.get("impersonatedUser", {}).get("username", ""),
        verb=event["verb"],
        uri=event["requestURI"],
        code=event.get("responseStatus", {}).get("code", 0),
        user_agent=event.get("userAgent", ""),
        received_at=event["requestReceivedTimestamp"],
    )
