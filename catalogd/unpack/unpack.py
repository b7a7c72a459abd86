"""Fetching and storing the content of one catalog image."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import BinaryIO

from prometheus_client import CollectorRegistry, Histogram

from catalogd.index import IndexBuilder
from catalogd.store import Counts, Origin, Snapshot, Store, StoreError
from catalogd.unpack.spool import Spool
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.fbc import FbcError
from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_PACKAGE
from olmv1.fbc.validation import FileLines
from olmv1.images.puller import Puller
from olmv1.telemetry.logs import get_logger

__all__ = ["Unpacked", "Unpacker", "in_context"]

_log = get_logger(__name__)
_SECONDS = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


@dataclass(frozen=True, slots=True)
class _Request:
    """One unpack: the catalog's name, the canonical reference, the one that the spec has, and who may stop it."""

    catalog: str
    ref: str
    source_ref: str
    is_wanted: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Unpacked:
    """New content, what a person should know of its image (one sentence each), and the files that its lines are of."""

    snapshot: Snapshot
    warnings: tuple[str, ...]
    files: tuple[FileLines, ...] = ()


class Unpacker:
    """Brings content from a registry into the store; at most one thread works on a catalog at a time."""

    def __init__(
        self, puller: Puller, store: Store, registry: CollectorRegistry, clock: Callable[[], float] = time.time
    ) -> None:
        self._puller = puller
        self._store = store
        self._clock = clock
        self._seconds = Histogram(
            "olm_catalog_unpack_seconds",
            "Time to fetch, parse and store a catalog",
            buckets=_SECONDS,
            registry=registry,
        )

    async def unpack(
        self, catalog: str, ref: str, source_ref: str, *, is_wanted: Callable[[], bool] = lambda: True
    ) -> Unpacked:
        """The content of the image `ref` (`<repository>@<digest>`), which is served as that of `catalog` from now on.

        What was served before stays served until then, and after any error. `is_wanted` is asked (in a thread) when
        all is written: content that is not wanted any more does not replace newer one.

        Raises:
            TerminalError: at this digest it can never succeed: malformed content, no package, no catalog image.
            RetryableError: registry, volume.
        """
        started = time.monotonic()
        request = _Request(catalog, ref, source_ref, is_wanted)
        with await asyncio.to_thread(self._scratch) as scratch:
            spool = Spool(scratch)
            try:
                pulled = await self._puller.pull_catalog(ref, on_file=spool.add)
            except StoreError as error:
                raise in_context("error storing fbc", error) from error
            except OlmError as error:
                raise in_context("source catalog content", error) from error
            for warning in pulled.warnings:
                _log.warning("image pulled with a warning", catalog=catalog, ref=ref, warning=warning)
            try:
                snapshot = await asyncio.to_thread(self._store_content, request, spool)
            except OlmError as error:
                raise in_context("error storing fbc", error) from error
        duration_s = time.monotonic() - started
        self._seconds.observe(duration_s)
        _log.info("catalog content stored", catalog=catalog, ref=ref, duration_s=round(duration_s, 3))
        return Unpacked(snapshot, pulled.warnings, spool.layout())

    def _scratch(self) -> BinaryIO:
        try:
            return self._store.scratch()
        except StoreError as error:
            raise in_context("error storing fbc", error) from error

    def _store_content(self, request: _Request, spool: Spool) -> Snapshot:
        """Put the lines in order, write and publish them; runs in a worker thread."""
        before = self._store.snapshot(request.catalog)
        builder = IndexBuilder()
        schemas: Counter[str] = Counter()
        with self._store.writer(request.catalog) as writer:
            try:
                for heads, pieces in spool.pieces():
                    for piece in pieces:
                        writer.write(piece)
                    for head in heads:
                        builder.add(head.schema, head.package, head.name, head.length)
                        schemas[head.schema] += 1
            except FbcError as error:
                raise in_context("error walking FBC root", error) from error
            if not schemas[SCHEMA_PACKAGE]:
                total = schemas.total()
                blobs = "1 blob" if total == 1 else f"{total} blobs"
                raise TerminalError(f"the catalog holds no package: {blobs}, none of schema {SCHEMA_PACKAGE}")
            if spool.passed_over:
                _log.info("files passed over", catalog=request.catalog, files=spool.passed_over[:20])
            origin = Origin(request.catalog, request.ref, request.source_ref, int(self._clock()))
            counts = Counts(schemas[SCHEMA_PACKAGE], schemas[SCHEMA_BUNDLE], schemas.total())
            manifest = writer.finish(origin, builder.build().to_bytes(), counts, before.manifest if before else None)
            if not request.is_wanted():
                raise RetryableError(f"content of {request.ref} is not wanted any more")
            return self._store.publish(request.catalog, writer, manifest)


def in_context(step: str, error: OlmError) -> OlmError:
    """The same error with `<step>: ` before its message."""
    message = f"{step}: {error}"
    if isinstance(error, TerminalError):
        return TerminalError(message, reason=error.reason)
    return RetryableError(message, retry_after_s=error.retry_after_s if isinstance(error, RetryableError) else None)
