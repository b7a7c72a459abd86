"""Reading an audit log: each request once, from a mark on, of one user."""

from __future__ import annotations

import json
from pathlib import Path

from devcluster.audit import AuditLog, Request


def an_event(audit_id: str, *, user: str = "admin", verb: str = "get", as_user: str = "") -> bytes:
    event = {
        "auditID": audit_id,
        "user": {"username": user},
        "verb": verb,
        "requestURI": "/api/v1/nodes",
        "responseStatus": {"code": 200},
        "userAgent": "test",
        "requestReceivedTimestamp": "2026-01-01T00:00:00.000000Z",
    }
    return json.dumps(event | ({"impersonatedUser": {"username": as_user}} if as_user else {})).encode() + b"\n"


def a_request(user: str = "admin", *, verb: str = "get", as_user: str = "") -> Request:
    return Request(user, as_user, verb, "/api/v1/nodes", 200, "test", "2026-01-01T00:00:00.000000Z")


def test_requests_give_a_watch_once_though_it_was_logged_twice(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.log")
    log.path.write_bytes(an_event("1", verb="watch") + an_event("2") + an_event("1", verb="watch"))
    assert log.requests() == [a_request(verb="watch"), a_request()]


def test_requests_leave_out_what_was_before_the_mark_and_half_a_line(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.log")
    log.path.write_bytes(an_event("1"))
    mark = log.position()
    with log.path.open("ab") as file:
        file.write(an_event("2", as_user="system:serviceaccount:a:b") + an_event("3")[:20])
    assert log.requests(since=mark) == [a_request(as_user="system:serviceaccount:a:b")]


def test_requests_select_by_user(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.log")
    log.path.write_bytes(an_event("1", user="system:serviceaccount:x:catalogd") + an_event("2"))
    assert log.requests(user="catalogd") == [a_request("system:serviceaccount:x:catalogd")]


def test_requests_are_none_when_there_is_no_log_yet(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "audit.log")
    assert (log.position(), log.requests()) == (0, [])


def test_request_is_a_write_for_verbs_that_change_something() -> None:
    verbs = ("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection")
    assert [verb for verb in verbs if a_request(verb=verb).is_write] == list(verbs[3:])
