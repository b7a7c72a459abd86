"""The files of one image, streamed from its source through a worker thread to whoever wants them.

Shell: it joins `Source` (network or disk, in the loop) with `LayerFiles` (archives, in the thread).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Executor
from contextlib import aclosing
from dataclasses import dataclass
from functools import partial

from olmv1.errors import RetryableError, TerminalError
from olmv1.images.digests import Digest
from olmv1.images.entry_names import quoted
from olmv1.images.failures import RegistryError
from olmv1.images.image_manifests import Descriptor, ImageManifest
from olmv1.images.layer_files import LayerFiles, OnFile
from olmv1.images.limits import LayerError, Limits
from olmv1.images.meters import PullMeters
from olmv1.images.pipe import stream_to_thread
from olmv1.images.references import Reference
from olmv1.images.sources import Source

__all__ = ["FileRequest", "ImageFiles", "refused"]

_Work = Callable[[int, Descriptor, Callable[[], bytes]], None]


@dataclass(frozen=True, slots=True)
class FileRequest:
    """Which files are wanted: those below `keep` (plain name; empty: all), within `limits`."""

    keep: str
    limits: Limits
    on_file: OnFile


@dataclass(frozen=True, slots=True)
class ImageFiles:
    """One image that can deliver its files; `reference` is the canonical one."""

    reference: Reference
    manifest: ImageManifest
    source: Source

    @property
    def digest(self) -> Digest:
        """The digest that the reference names."""
        assert self.reference.digest is not None
        return self.reference.digest

    async def deliver(self, request: FileRequest, executor: Executor, meters: PullMeters) -> LayerFiles:
        """Call `request.on_file` in a thread of `executor` for every wanted file; what was delivered.

        Calls never overlap. They may have begun when this fails: the receiver drops what it got.

        Raises:
            TerminalError: a layer is hostile, damaged or too large.
            RetryableError: a layer could not be fetched, or is not what its digest names.
            Exception: whatever `request.on_file` raises, unchanged.
        """
        self._require_within(request.limits)
        files = LayerFiles(request.keep, request.limits, request.on_file)
        for number in reversed(range(len(self.manifest.layers))):
            await self._pass(number, files.add_layer, executor, meters)
        for number in files.layers_wanted():
            if files.has_links_left:
                await self._pass(number, files.add_links, executor, meters)
        files.end_links()
        return files

    def _require_within(self, limits: Limits) -> None:
        layers = self.manifest.layers
        if len(layers) > limits.layers:
            raise TerminalError(
                f"error copying image: {self.reference} has {len(layers)} layers, the limit is {limits.layers}"
            )
        packed = sum(layer.size_bytes for layer in layers)
        if packed > limits.packed_bytes:
            limit = limits.packed_bytes
            raise TerminalError(
                f"error copying image: the layers of {self.reference} have {packed} bytes, the limit is {limit}"
            )

    async def _pass(self, number: int, work: _Work, executor: Executor, meters: PullMeters) -> None:
        """Stream layer `number` through `work`."""
        descriptor = self.manifest.layers[number]
        try:
            async with aclosing(_metered(self.source.blob(descriptor), meters)) as chunks:
                await stream_to_thread(executor, chunks, partial(work, number, descriptor))
        except LayerError as refusal:
            where = f"error applying layer[{number}] ({descriptor.digest}) of {self.reference}"
            raise refused(where, refusal) from refusal
        except RegistryError as failure:
            raise RetryableError(f"error copying image: {failure}", retry_after_s=failure.retry_after_s) from failure


def refused(where: str, refusal: LayerError) -> TerminalError:
    """The error that a user reads for a refused layer: step, image, layer, entry, reason."""
    entry = f"entry {quoted(refusal.entry)}: " if refusal.entry else ""
    return TerminalError(f"error applying image: {where}: {entry}{refusal}")


async def _metered(chunks: AsyncGenerator[bytes, None], meters: PullMeters) -> AsyncGenerator[bytes, None]:
    async with aclosing(chunks):
        async for chunk in chunks:
            meters.received(len(chunk))
            yield chunk
