"""The value types that flags have in Go: durations, bind addresses, yes and no."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from typing import Annotated

from pydantic import BeforeValidator

from olmv1.telemetry.addresses import BindAddress

__all__ = [
    "BindAddress",
    "Duration",
    "format_duration",
    "parse_bind_address",
    "parse_bool",
    "parse_duration_s",
    "parse_hosts",
    "parse_object_name",
]

_UNITS_S = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)")
_LABEL = "[a-z0-9](?:[-a-z0-9]*[a-z0-9])?"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*")
_TRUE = frozenset({"1", "t", "T", "true", "TRUE", "True"})
_FALSE = frozenset({"0", "f", "F", "false", "FALSE", "False"})


def parse_duration_s(text: object) -> float:
    """Seconds of a duration in Go's notation: `12h`, `10m0s`, `1.5h`, `300ms`, `0`.

    Raises:
        ValueError: the text is no duration, or it is negative.
    """
    if isinstance(text, int | float) and not isinstance(text, bool):
        return float(text)
    plain = str(text).removeprefix("+")
    if plain == "0":
        return 0.0
    parts = _PART.findall(plain)
    if not parts or "".join(number + unit for number, unit in parts) != plain:
        raise ValueError(f'invalid duration "{text}": expected a number with a unit such as 12h, 10m0s or 300ms')
    return sum(float(number) * _UNITS_S[unit] for number, unit in parts)


def format_duration(seconds: float) -> str:
    """A duration as Go prints it, without the parts that are zero: `12h`, `1m30s`, `0.5s`."""
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    parts = ((hours, "h"), (minutes, "m"), (rest, "s"))
    return "".join(f"{number:g}{unit}" for number, unit in parts if number) or "0s"


Duration = Annotated[float, BeforeValidator(parse_duration_s)]
"""Seconds in a settings model, read from Go's notation."""


def parse_bind_address(text: object) -> BindAddress | None:
    """The address of a server from `:8443`, `127.0.0.1:8443` or `[::1]:8443`; `None` for empty and `0`: switched off.

    Raises:
        ValueError: there is no port, or it is no port number.
    """
    return text if text is None or isinstance(text, BindAddress) else BindAddress.parse(str(text))


def parse_bool(text: str) -> bool:
    """The truth of a Go boolean: `1 t T true TRUE True` or `0 f F false FALSE False`.

    Raises:
        ValueError: anything else.
    """
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise ValueError(f'invalid boolean "{text}": expected true or false')


def parse_object_name(text: str) -> str:
    """The name of an object, which may be empty.

    Raises:
        ValueError: no object can have that name.
    """
    if text and not _NAME.fullmatch(text):
        raise ValueError(f'expected the name of an object such as catalogd-serving, found "{text}"')
    return text


def parse_hosts(texts: Iterable[str]) -> tuple[str, ...]:
    """The DNS names (in lower case, also `*.example.com`) and IP addresses in `texts`, each once, without empty ones.

    Raises:
        ValueError: one is neither.
    """
    return tuple(dict.fromkeys(_host(plain) for text in texts if (plain := text.strip().lower())))


def _host(text: str) -> str:
    if _NAME.fullmatch(text.removeprefix("*.")):
        return text
    try:
        return str(ipaddress.ip_address(text))  # in one of its many spellings
    except ValueError as error:
        raise ValueError(f'expected a DNS name or an IP address for a certificate, found "{text}"') from error
