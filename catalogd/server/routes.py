"""From the path of a request to what is asked for. Pure. Rule: catalogd-http.md 2."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import unquote

__all__ = ["Endpoint", "NoRoute", "Redirect", "Route", "route_of"]


class Endpoint(StrEnum):
    """The endpoints of a catalog, as the last segment of their path."""

    ALL = "all"
    METAS = "metas"


@dataclass(frozen=True, slots=True)
class Route:
    """One endpoint of the catalog `name`, which is not checked yet."""

    endpoint: Endpoint
    name: str


@dataclass(frozen=True, slots=True)
class Redirect:
    """The same path without doubled slashes and dot segments."""

    path: str


class NoRoute:
    """Nothing is served under the path."""


_UNCLEAN = re.compile(r"//|/\.{1,2}(?:/|$)")
_ENDPOINT = re.compile(r"/catalogs/([^/]+)/api/v1/([a-z]+)")


def route_of(raw_path: str, endpoints: frozenset[Endpoint]) -> Route | Redirect | NoRoute:
    """What the percent-encoded `raw_path` asks for; endpoints that are switched off are not in `endpoints`."""
    if _UNCLEAN.search(raw_path):
        return Redirect(_clean(raw_path))
    match = _ENDPOINT.fullmatch(raw_path)
    if match is None or match[2] not in endpoints:
        return NoRoute()
    return Route(Endpoint(match[2]), unquote(match[1], errors="replace"))


def _clean(raw_path: str) -> str:
    kept: list[str] = []
    for segment in raw_path.split("/"):
        if segment == "..":
            del kept[-1:]
        elif segment not in ("", "."):
            kept.append(segment)
    slash = "/" if kept and raw_path.endswith("/") else ""
    return f"/{'/'.join(kept)}{slash}"
