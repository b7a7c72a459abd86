from __future__ import annotations

import io
import json
import logging
import time
from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from olmv1.telemetry.logs import configure_logs, get_logger, level_of_verbosity, redact


@pytest.fixture(autouse=True)
def _own_logging() -> Iterator[None]:
    root, warnings = logging.getLogger(), logging.getLogger("py.warnings")
    before = (list(root.handlers), root.level, list(warnings.handlers))
    yield
    structlog.reset_defaults()
    logging.captureWarnings(capture=False)
    root.handlers, warnings.handlers = before[0], before[2]
    root.setLevel(before[1])


def a_stream(level: int | str = "info", *, is_json: bool | None = None) -> io.TextIOWrapper:
    stream = io.TextIOWrapper(io.BytesIO())
    configure_logs(level, json=is_json, stream=stream)
    return stream


def text_of(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


def lines_of(stream: io.TextIOWrapper) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text_of(stream).splitlines()]


def test_a_line_is_one_json_object_with_its_context_when_there_is_no_terminal() -> None:
    stream = a_stream()
    with structlog.contextvars.bound_contextvars(controller="catalog", name="shop"):
        get_logger("room").info("reconciled", duration_s=0.41, requeue_after_s=None)
    (line,) = lines_of(stream)
    assert line.pop("ts").endswith("Z")
    assert line == {
        "level": "info",
        "msg": "reconciled",
        "module": "room",
        "controller": "catalog",
        "name": "shop",
        "duration_s": 0.41,
        "requeue_after_s": None,
    }


def test_a_line_is_readable_on_a_terminal() -> None:
    stream = a_stream(is_json=False)
    get_logger("room").info("bundle resolved", bundle="till.v1", url="https://u:p4ss@host/x")
    assert "bundle resolved" in text_of(stream)
    assert "p4ss" not in text_of(stream)


def test_lines_below_the_level_are_not_written() -> None:
    stream = a_stream("warning")
    log = get_logger("room")
    log.info("a")
    log.warning("b")
    assert [line["msg"] for line in lines_of(stream)] == ["b"]


def test_the_level_can_be_changed_at_any_time() -> None:
    stream = io.TextIOWrapper(io.BytesIO())
    level = configure_logs("info", stream=stream)
    log, library = get_logger("room"), logging.getLogger("library")

    def tell(number: int) -> None:
        log.debug("step", number=number)
        log.info("decision", number=number)
        library.info("detail %s", number)

    tell(1)
    level.change(logging.DEBUG)
    tell(2)
    level.change(logging.WARNING)
    tell(3)
    told = [(line["msg"], line.get("number")) for line in lines_of(stream)]
    assert told == [("decision", 1), ("step", 2), ("decision", 2), ("detail 2", None)]


def test_records_of_libraries_come_out_in_the_same_form() -> None:
    stream = a_stream()
    logging.getLogger("library").warning("fetched %s", "https://user:hunter2@registry/x")
    logging.getLogger("library").info("details")
    (line,) = lines_of(stream)
    assert (line["msg"], line["module"], line["level"]) == (
        "fetched https://[redacted]@registry/x",
        "library",
        "warning",
    )


def test_records_of_libraries_come_out_at_info_for_whoever_asked_for_debug() -> None:
    stream = a_stream(logging.DEBUG)
    logging.getLogger("library").info("details")
    assert [line["msg"] for line in lines_of(stream)] == ["details"]


def test_an_exception_is_logged_with_its_traceback_without_secrets() -> None:
    stream = a_stream()
    try:
        raise ValueError("GET https://user:hunter2@registry/x failed")
    except ValueError as problem:
        get_logger("room").error("bug", exc_info=problem)
    (line,) = lines_of(stream)
    assert "Traceback" in line["exception"]
    assert "hunter2" not in line["exception"]


def test_secrets_are_dropped_wherever_they_stand() -> None:
    stream = a_stream()
    values = {"headers": {"Authorization": "Bearer abcdefghijk"}, "urls": ["http://a:b@c/d"], "token": "x"}
    get_logger("room").info("x", problem=ValueError("Basic dXNlcjpwYXNz"), **values)
    (line,) = lines_of(stream)
    kept = {key: line[key] for key in ("headers", "urls", "token", "problem")}
    assert kept == {
        "headers": {"Authorization": "[redacted]"},
        "urls": ["http://[redacted]@c/d"],
        "token": "[redacted]",
        "problem": "Basic [redacted]",
    }


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        pytest.param("https://user:pass@host/p", "https://[redacted]@host/p", id="password in a URL"),
        pytest.param("https://host:8443/p@x", "https://host:8443/p@x", id="port and at-sign"),
        pytest.param("Authorization: Bearer abc.def-ghi", "Authorization: Bearer [redacted]", id="bearer"),
        pytest.param("jwt eyJhbGciOiJSUzI1.eyJzdWIiOiJ4eHgi.c2ln end", "jwt [redacted] end", id="web token"),
        pytest.param("my-eyJhbGciOiJSUzI1.eyJzdWIiOiJ4eHgi.c2ln", "my-[redacted]", id="web token in a name"),
        pytest.param("basic training", "basic training", id="a word after basic"),
        pytest.param("bundle till.v1.0.0 resolved", "bundle till.v1.0.0 resolved", id="nothing secret"),
    ],
)
def test_redact_keeps_everything_but_secrets(text: str, kept: str) -> None:
    assert redact(text) == kept


@pytest.mark.parametrize(
    ("verbosity", "level"), [(-1, logging.WARNING), (0, logging.INFO), (1, logging.INFO), (2, logging.DEBUG), (9, 10)]
)
def test_verbosity_chooses_the_level(verbosity: int, level: int) -> None:
    assert level_of_verbosity(verbosity) == level


@pytest.mark.parametrize("part", ["ab", "a.", "-eyJ", "a://", "Bearer "])
def test_redact_takes_no_longer_for_hostile_texts(part: str) -> None:
    started = time.process_time()
    redact(part * (200_000 // len(part)))
    assert time.process_time() - started < 10
