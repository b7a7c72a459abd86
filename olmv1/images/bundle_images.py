"""Unpacked bundle images on disk, by digest: pulled once, kept within a size, found again after a restart.

Shell, for operator-controller. Rule: architecture.md 4 (controller disk), clusterextension.md 4.5.
"""

from __future__ import annotations

import asyncio
import shutil
import threading
from dataclasses import replace
from pathlib import Path

from olmv1.images.digests import Digest
from olmv1.images.puller import Puller
from olmv1.images.references import Reference
from olmv1.images.unpacked import EntryWriter, UnpackedImage, entries_of, load_entry, sweep

__all__ = ["BundleImages"]


class BundleImages:
    """The cache in `cache_dir`, at most `max_bytes` of content; the longest unused image goes first.

    The image that was just unpacked always stays, also when it alone is larger. One process per directory.
    """

    def __init__(self, cache_dir: Path, puller: Puller, max_bytes: int) -> None:
        self._cache_dir = cache_dir
        self._puller = puller
        self._max_bytes = max_bytes
        self._pulling: dict[Digest, asyncio.Future[UnpackedImage]] = {}
        self._sweeping = threading.Lock()
        self._is_swept = False

    async def unpack(self, ref: str) -> UnpackedImage:
        """The files of image `ref`, from the cache when its digest is there.

        A digest that is cached costs no network; a tag is resolved every time. Callers who want the same digest at
        the same time share one pull, also its failure.

        Raises:
            TerminalError, RetryableError: as `Puller.pull_files`.
        """
        reference = Reference.parse(ref)
        digest = reference.digest or await self._puller.resolve(ref)
        digest_ref = str(reference.pinned(digest))
        while (pulling := self._pulling.get(digest)) is not None:
            await asyncio.wait([pulling])
            if not pulling.cancelled():
                return replace(pulling.result(), digest_ref=digest_ref)
        return await self._unpack_shared(reference, digest)

    async def _unpack_shared(self, reference: Reference, digest: Digest) -> UnpackedImage:
        """Find or pull the image, and give the result to everybody who waits for the same digest."""
        shared: asyncio.Future[UnpackedImage] = asyncio.get_running_loop().create_future()
        self._pulling[digest] = shared
        try:
            found = await asyncio.to_thread(self._cached, digest, str(reference.pinned(digest)))
            image = found or await self._pull(str(reference), digest)
            shared.set_result(image)
            return image
        except asyncio.CancelledError:
            # Only this caller goes away: the others begin anew.
            shared.cancel()
            raise
        except BaseException as error:
            shared.set_exception(error)
            shared.exception()
            raise
        finally:
            del self._pulling[digest]

    async def _pull(self, ref: str, digest: Digest) -> UnpackedImage:
        writer = await asyncio.to_thread(EntryWriter, self._cache_dir)
        try:
            pulled = await self._puller.pull_files(ref, on_file=writer.add, resolved=digest)
            image = await asyncio.to_thread(writer.finish, pulled.canonical_ref, digest, pulled.config_type)
            await asyncio.to_thread(self._evict, image.path)
            return replace(image, warnings=pulled.warnings)
        finally:
            await asyncio.shield(asyncio.to_thread(writer.drop))

    def _cached(self, digest: Digest, digest_ref: str) -> UnpackedImage | None:
        # The first look waits for the sweep, because nothing may be written while that runs.
        with self._sweeping:
            if not self._is_swept:
                sweep(self._cache_dir)
                self._is_swept = True
        return load_entry(self._cache_dir, digest, digest_ref)

    def _evict(self, newest: Path) -> None:
        entries = entries_of(self._cache_dir)
        total = sum(size for _, _, size in entries)
        for _, path, size in entries:
            if total <= self._max_bytes:
                return
            if path != newest:
                shutil.rmtree(path, ignore_errors=True)
                total -= size
