"""Structured logs: one JSON object per line in a pod, readable lines on a terminal.

`main` configures once; every room takes its logger from `get_logger` and passes constant phrases with variable keys.
The level can be changed while the process runs: `LogLevel`.
Records of libraries that use the standard `logging` module come out in the same form.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import orjson
import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor, WrappedLogger

__all__ = ["LogLevel", "configure_logs", "get_logger", "level_of_verbosity", "redact"]

_REDACTED = "[redacted]"
# user:password@ in a URL; a bearer or basic credential; a JSON web token wherever it stands. Long and
# hostile texts take no longer than others: where a match can begin anywhere, its beginning has a bound.
_SECRETS = re.compile(
    r"(?P<scheme>[a-zA-Z][a-zA-Z0-9+.-]{0,30}://)[^/\s@:]*:[^/\s@]*(?=@)"
    r"|(?P<kind>\b(?:[Bb]earer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|(?:(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}|\beyJ[A-Za-z0-9_-]{8,512})\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
)
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
}
_SECRET_KEYS = frozenset({"authorization", "password", "token", "id_token", "access_token", "refresh_token", "auth"})


class LogLevel:
    """The level of the process's log; whoever holds it may change it at any time."""

    def __init__(self, number: int) -> None:
        self._number = number
        _set_standard_level(number)

    def change(self, number: int) -> None:
        """Write what is at or above `number`, a `logging` level, from now on."""
        self._number = number
        _set_standard_level(number)

    def drop_below(self, _logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
        """The first processor: ends what is below the level, before it costs anything."""
        if _LEVELS.get(method, logging.CRITICAL) < self._number:
            raise structlog.DropEvent
        return event


def get_logger(name: str) -> FilteringBoundLogger:
    """The logger of a module; usable at import time, configured when first used after `configure_logs`."""
    logger: FilteringBoundLogger = structlog.get_logger(module=name)
    return logger


def level_of_verbosity(verbosity: int) -> int:
    """The `logging` level for `-v N`: 0 and 1 mean info, 2 and more debug; negative numbers only warnings."""
    if verbosity < 0:
        return logging.WARNING
    return logging.INFO if verbosity < 2 else logging.DEBUG


def configure_logs(level: int | str, *, json: bool | None = None, stream: TextIO | None = None) -> LogLevel:
    """Send every log line of the process to `stream` (default: standard error); the level to change it by.

    `level`: a `logging` level or its name. `json=None` means JSON unless `stream` is a terminal.
    """
    out = stream or sys.stderr
    is_json = not out.isatty() if json is None else json
    number = level if isinstance(level, int) else logging.getLevelNamesMapping()[level.upper()]
    changeable = LogLevel(number)
    shared: list[Processor] = [
        changeable.drop_below,
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="ts"),
        _drop_secrets,
    ]
    last: list[Processor] = [structlog.processors.format_exc_info, _json] if is_json else [_pretty(out)]
    structlog.configure(
        processors=[*shared, *last],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG),
        logger_factory=structlog.BytesLoggerFactory(out.buffer) if is_json else structlog.PrintLoggerFactory(out),
        cache_logger_on_first_use=True,
    )
    _route_standard_logging()
    return changeable


def redact(text: str) -> str:
    """`text` without passwords in URLs, bearer or basic credentials and JSON web tokens."""
    return _SECRETS.sub(lambda match: f"{match['scheme'] or match['kind'] or ''}{_REDACTED}", text)


def _drop_secrets(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    for key, value in event.items():
        if key.lower() in _SECRET_KEYS:
            event[key] = _REDACTED
        elif isinstance(value, str):
            if len(value) > 8:
                event[key] = redact(value)
        elif isinstance(value, BaseException):
            event[key] = redact(str(value))
        elif isinstance(value, Mapping | list | tuple):
            event[key] = _redact_nested(value)
    return event


def _redact_nested(value: Any) -> Any:
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {
            key: _REDACTED if str(key).lower() in _SECRET_KEYS else _redact_nested(item) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_redact_nested(item) for item in value]
    return value


def _json(_logger: WrappedLogger, _method: str, event: EventDict) -> bytes:
    first = {"ts": event.pop("ts", None), "level": event.pop("level", None), "msg": event.pop("event", None)}
    ordered: dict[str, Any] = {**first, **event}
    if isinstance(ordered.get("exception"), str):
        ordered["exception"] = redact(ordered["exception"])
    return orjson.dumps(ordered, default=str, option=orjson.OPT_NON_STR_KEYS)


def _pretty(out: TextIO) -> Callable[[WrappedLogger, str, EventDict], str]:
    renderer = structlog.dev.ConsoleRenderer(
        colors=out.isatty(), timestamp_key="ts", exception_formatter=structlog.dev.plain_traceback
    )

    def render(logger: WrappedLogger, method: str, event: EventDict) -> str:
        return redact(renderer(logger, method, event))

    return render


class _ToStructlog(logging.Handler):
    """Hands records of libraries over, with their logger's name and without their own formatting."""

    def emit(self, record: logging.LogRecord) -> None:
        logger: FilteringBoundLogger = structlog.get_logger(module=record.name)
        logger.log(record.levelno, record.getMessage(), exc_info=record.exc_info or None)


def _route_standard_logging() -> None:
    root = logging.getLogger()
    for handler in list(root.handlers):
        if isinstance(handler, _ToStructlog):
            root.removeHandler(handler)
    root.addHandler(_ToStructlog())
    for noisy in ("aiohttp.access", "asyncio"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)


def _set_standard_level(level: int) -> None:
    # Libraries are chatty at info and below: their details are for whoever asked for debug.
    logging.getLogger().setLevel(max(level, logging.WARNING) if level > logging.DEBUG else logging.INFO)
