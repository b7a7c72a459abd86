"""Where the parts of one image come from: registries (mirrors first), or a directory that skopeo has filled.

Shell. A source hands out manifests and blobs by digest; which parts are wanted is decided by the puller.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Protocol, TypeVar

from olmv1.errors import TerminalError
from olmv1.images.digests import Digest, digest_of
from olmv1.images.failures import RegistryError, all_failed
from olmv1.images.image_manifests import Descriptor
from olmv1.images.repository import RawManifest, Repository

__all__ = ["DirectorySource", "RegistrySource", "Source"]

Value = TypeVar("Value")
_CHUNK_BYTES = 1024 * 1024


class Source(Protocol):
    """The parts of one image."""

    async def manifest(self, digest: Digest, limit_bytes: int) -> RawManifest:
        """The verified manifest or index that `digest` names."""

    async def small_blob(self, descriptor: Descriptor, limit_bytes: int) -> bytes:
        """The verified content of a small blob."""

    def blob(self, descriptor: Descriptor) -> AsyncGenerator[bytes, None]:
        """The bytes of a blob in order, not verified: the reader knows the digest."""


class RegistrySource:
    """An image in registries: every part is asked for where the last one was found, then in the given order."""

    def __init__(self, repositories: Sequence[Repository], resumes: int) -> None:
        self._repositories = tuple(repositories)
        self._preferred = self._repositories[0]
        self._resumes = resumes

    async def resolve(self, tag: str, limit_bytes: int) -> Digest:
        """The digest that `tag` means at the first place that knows it.

        Raises:
            RegistryError: no place does; the message names each.
        """
        return await self._first(lambda repository: repository.resolve(tag, limit_bytes))

    async def manifest(self, digest: Digest, limit_bytes: int) -> RawManifest:
        """The verified manifest or index that `digest` names, from the first place that has it.

        Raises:
            RegistryError: no place has.
        """
        return await self._first(lambda repository: repository.manifest(digest, limit_bytes))

    async def small_blob(self, descriptor: Descriptor, limit_bytes: int) -> bytes:
        """The verified content of a small blob from the first place that has it.

        Raises:
            RegistryError: no place has.
        """
        return await self._first(lambda repository: repository.small_blob(descriptor, limit_bytes))

    async def blob(self, descriptor: Descriptor) -> AsyncGenerator[bytes, None]:
        """The bytes of a blob; where one place fails in the middle, the next goes on at the same byte.

        Raises:
            RegistryError: no place could finish.
        """
        offset = 0
        failures: list[RegistryError] = []
        for repository in self._in_order():
            try:
                async with aclosing(repository.blob(descriptor, offset, self._resumes)) as chunks:
                    async for chunk in chunks:
                        offset += len(chunk)
                        yield chunk
                self._preferred = repository
                return
            except RegistryError as failure:
                failures.append(failure)
        raise all_failed(failures)

    async def _first(self, ask: Callable[[Repository], Awaitable[Value]]) -> Value:
        failures: list[RegistryError] = []
        for repository in self._in_order():
            try:
                found = await ask(repository)
            except RegistryError as failure:
                failures.append(failure)
            else:
                self._preferred = repository
                return found
        raise all_failed(failures)

    def _in_order(self) -> list[Repository]:
        return sorted(self._repositories, key=lambda repository: repository is not self._preferred)


class DirectorySource:
    """An image in the `dir:` form of skopeo: `manifest.json`, and one file per blob named by its hex digest.

    skopeo has verified it against the signature policy; of an image with several platforms it has chosen one, so the
    manifest may differ from the digest that was asked for.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def manifest(self, digest: Digest, limit_bytes: int) -> RawManifest:  # noqa: ARG002  (see class)
        """The manifest of the copied image."""
        data = await asyncio.to_thread(self._read, "manifest.json", limit_bytes)
        return RawManifest(data, "", digest_of(data))

    async def small_blob(self, descriptor: Descriptor, limit_bytes: int) -> bytes:
        """The verified content of a small blob."""
        data = await asyncio.to_thread(self._read, descriptor.digest.hex, limit_bytes)
        if not descriptor.digest.fits(data):
            raise RegistryError(f"the copy of {descriptor.digest} has other content ({digest_of(data)})")
        return data

    async def blob(self, descriptor: Descriptor) -> AsyncGenerator[bytes, None]:
        """The bytes of a blob, read in pieces of 1 MiB."""
        offset = 0
        while piece := await asyncio.to_thread(self._read_piece, descriptor.digest.hex, offset):
            offset += len(piece)
            yield piece

    def _read(self, name: str, limit_bytes: int) -> bytes:
        data = self._read_piece(name, 0, limit_bytes + 1)
        if len(data) > limit_bytes:
            raise TerminalError(f"{name} of the image is larger than {limit_bytes} bytes")
        return data

    def _read_piece(self, name: str, offset: int, size: int = _CHUNK_BYTES) -> bytes:
        try:
            with (self._folder / name).open("rb") as file:
                file.seek(offset)
                return file.read(size)
        except OSError as error:
            raise RegistryError(f"the copy of the image lacks {name}: {error.strerror}") from error
