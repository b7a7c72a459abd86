"""Catalogs that a catalogd serves, whatever way leads to it. Rule: catalogd-http.md 3, 4 and 12.2."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

import msgspec

from olm_cli.progress import working
from olmv1.errors import RetryableError
from olmv1.fbc import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_DEPRECATIONS, SCHEMA_PACKAGE, FbcError, Package, package_of

__all__ = ["Answer", "NoSuchRoute", "Route", "ServedCatalog"]

_TRIES = 3


@dataclass(frozen=True, slots=True)
class Answer:
    """A body, and the ETag of the content that it is from."""

    body: bytes
    etag: str


class NoSuchRoute(RetryableError):  # noqa: N818 - an answer of the server
    """The server does not have this endpoint."""


class Route(Protocol):
    """A way to a catalogd."""

    async def get(self, path: str) -> Answer:
        """The answer to `path` (`/catalogs/<name>/api/v1/…`).

        Raises:
            NoSuchRoute: there is no such endpoint.
            RetryableError: nothing else came either; the message says why.
        """
        ...


class _Head(msgspec.Struct):
    schema: str = ""
    package: str = ""
    name: str = ""

    @property
    def owner(self) -> str:
        """The package that the blob belongs to; empty for none."""
        return self.name if self.schema == SCHEMA_PACKAGE else self.package


_HEAD = msgspec.json.Decoder(_Head)


class ServedCatalog:
    """A catalog of the cluster; every question is a few requests."""

    def __init__(self, name: str, priority: int, route: Route) -> None:
        self.name = name
        self.priority = priority
        self._route = route
        self._base = f"/catalogs/{quote(name)}/api/v1"

    async def packages(self, *, with_bundles: bool = False) -> tuple[Package, ...]:
        """Every package by name, without its bundles unless they are asked for: they are nearly all of a catalog."""
        if with_bundles:
            return await asyncio.to_thread(self._packages, await self._whole(), with_bundles=True)
        schemas = (SCHEMA_PACKAGE, SCHEMA_CHANNEL, SCHEMA_DEPRECATIONS)
        lines = await self._lines(*(f"schema={schema}" for schema in schemas))
        return self._packages(lines, with_bundles=False)

    def _packages(self, lines: Iterable[bytes], *, with_bundles: bool) -> tuple[Package, ...]:
        by_package: dict[str, list[bytes]] = {}
        for line in lines:
            head = _HEAD.decode(line)
            if head.owner and (with_bundles or head.schema != SCHEMA_BUNDLE):
                by_package.setdefault(head.owner, []).append(line)
        found = (self._package(name, by_package[name]) for name in sorted(by_package))
        return tuple(package for package in found if package is not None)

    async def package(self, name: str) -> Package | None:
        """One package, or `None`."""
        lines = await self._lines(f"schema={SCHEMA_PACKAGE}&name={quote(name)}", f"package={quote(name)}")
        return await asyncio.to_thread(self._package, name, lines)

    def _package(self, name: str, lines: Iterable[bytes]) -> Package | None:
        try:
            return package_of(name, lines)
        except FbcError as error:
            raise RetryableError(f'error loading package "{name}": {error}') from error

    async def _lines(self, *queries: str) -> list[bytes]:
        with working(f"reading catalog {self.name}"):
            try:
                return await self._selected(*queries)
            except NoSuchRoute:
                return await self._whole()
            except RetryableError as error:
                raise self._unreadable(error) from error

    async def _whole(self) -> list[bytes]:
        with working(f"reading all of catalog {self.name}"):
            try:
                return _split(await self._route.get(f"{self._base}/all"))
            except RetryableError as error:
                raise self._unreadable(error) from error

    def _unreadable(self, error: RetryableError) -> RetryableError:
        return RetryableError(f'error retrieving cache for catalog "{self.name}": {error}')

    async def _selected(self, *queries: str) -> list[bytes]:
        """The lines that the queries select, all of one content."""
        for _ in range(_TRIES):
            answers = [await self._route.get(f"{self._base}/metas?{query}") for query in queries]
            if len({answer.etag for answer in answers}) == 1:
                return [line for answer in answers for line in _split(answer)]
        raise RetryableError("the catalog changed while it was read")


def _split(answer: Answer) -> list[bytes]:
    return [line for line in answer.body.split(b"\n") if line]
