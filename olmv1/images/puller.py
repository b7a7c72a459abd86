"""Pulling images: from a reference as a user wrote it to the files inside.

Shell; the front door of this room for catalogd, operator-controller and `olm`. It does not know what the files mean.
Rule: clustercatalog.md 5.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from prometheus_client import CollectorRegistry

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.images.access import Access
from olmv1.images.configuration import Stamp
from olmv1.images.credentials import ANONYMOUS, Credentials
from olmv1.images.digests import Digest
from olmv1.images.entry_names import configs_dir_of, quoted
from olmv1.images.failures import explained
from olmv1.images.image_files import FileRequest, ImageFiles, refused
from olmv1.images.image_manifests import HELM_CONFIG, ImageManifest, labels_of, parse_manifest, select
from olmv1.images.layer_files import LayerFiles, OnFile
from olmv1.images.limits import Limits
from olmv1.images.meters import PullMeters
from olmv1.images.references import Reference
from olmv1.images.settings import ImageSettings
from olmv1.images.sources import Source

__all__ = ["CONFIGS_LABEL", "PulledImage", "Puller"]

CONFIGS_LABEL = "operators.operatorframework.io.index.configs.v1"
"""The image label that names the directory of the catalog. Rule: fbc.md 2."""

_INDEX_DEPTH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PulledImage:
    """What is known of a pulled image once all its files were delivered.

    `canonical_ref` is `<repository>@<digest>`; `configs_dir` the plain name of the directory that was kept (empty:
    everything); `config_type` the media type of its configuration, which tells charts from images; `warnings` are
    sentences for the user, each reported once per process where it is about the machine.
    """

    canonical_ref: str
    digest: Digest
    configs_dir: str
    config_type: str
    file_count: int
    size_bytes: int
    warnings: tuple[str, ...] = ()


class Puller:
    """Pulls images as `settings` say, with the pull secrets that `credentials` gives at that moment."""

    def __init__(
        self,
        settings: ImageSettings,
        credentials: Callable[[], Credentials] = lambda: ANONYMOUS,
        registry: CollectorRegistry | None = None,
    ) -> None:
        self.settings = settings
        self._meters = PullMeters(registry)
        self._access = Access(settings, credentials, self._meters)
        # Threads of its own: these wait for the network, and the default ones must stay free for name look-ups.
        self._executor = ThreadPoolExecutor(settings.parallel_unpacks, thread_name_prefix="images")
        self._unpacks = asyncio.Semaphore(settings.parallel_unpacks)
        self._has_warned = False

    async def resolve(self, ref: str) -> Digest:
        """The digest that `ref` means now; one small request for a tag, none for a digest.

        For an image with several platforms it is the digest of the index.

        Raises:
            TerminalError: `ref` is not a full, canonical reference.
            RetryableError: no registry could tell; the message names registry, mirrors and statuses.
        """
        return await self._digest_of(Reference.parse(ref))

    async def confirm(self, ref: str) -> Digest:
        """As `resolve`, but the registry is asked about a digest too: whether the image is there.

        Raises:
            TerminalError, RetryableError: as `resolve`.
        """
        reference = Reference.parse(ref)
        source = await self._access.registries(reference)
        with explained("error creating image source"):
            return await source.resolve(reference.selector, self.settings.catalog_limits.manifest_bytes)

    async def pull_catalog(self, ref: str, *, on_file: OnFile, resolved: Digest | None = None) -> PulledImage:
        """Deliver every file of the catalog in image `ref` to `on_file`, streaming; nothing is written to disk.

        `on_file(path, content)` is called in a worker thread, never twice at the same time, in any order of paths,
        which are relative to the catalog's directory (`.indexignore` files included). It may have been called when
        this raises: what it received is then to be dropped. `resolved`: what `resolve(ref)` has just said.

        Raises:
            TerminalError: bad reference, hostile layers, the labelled directory missing or empty; with a digest also
                a missing label, platform or a malformed manifest.
            RetryableError: registry, configuration and policy problems, and with a tag the latter group.
        """
        reference = Reference.parse(ref)
        limits = self.settings.catalog_limits
        async with self._opened(reference, resolved, limits, "catalog") as image:
            keep = await _configs_dir(image, reference, limits)
            files = await self._deliver(image, FileRequest(keep, limits, on_file))
            _require_catalog(image, keep, files)
            return await self._pulled(image, keep, files)

    async def pull_files(
        self, ref: str, *, on_file: OnFile, resolved: Digest | None = None, limits: Limits | None = None
    ) -> PulledImage:
        """Deliver every file of image `ref` to `on_file`, as `pull_catalog` does; no label is needed.

        Links that lead to no file are left out and named in the warnings. `limits`: those of bundles or, where the
        configuration says that it is a Helm chart, of charts by default.

        Raises:
            TerminalError, RetryableError: as `pull_catalog`.
        """
        reference = Reference.parse(ref)
        async with self._opened(reference, resolved, limits or self.settings.bundle_limits, "files") as image:
            is_chart = image.manifest.config.media_type == HELM_CONFIG
            usual = self.settings.chart_limits if is_chart else self.settings.bundle_limits
            files = await self._deliver(image, FileRequest("", limits or usual, on_file))
            return await self._pulled(image, "", files)

    async def configuration_stamp(self) -> Stamp:
        """A value that changes when registries, policy, logins or certificates on disk change.

        Who waits after a failed pull compares it to try again at once. Rule: clustercatalog.md 13.8.
        """
        return await self._access.stamp()

    async def close(self) -> None:
        """Close connections and threads; pulls in progress must have been cancelled before."""
        await self._access.close()
        self._executor.shutdown(wait=False, cancel_futures=True)

    async def _digest_of(self, reference: Reference) -> Digest:
        if reference.digest is not None:
            return reference.digest
        source = await self._access.registries(reference)
        with explained("error creating image source"):
            return await source.resolve(reference.tag or "", self.settings.catalog_limits.manifest_bytes)

    @asynccontextmanager
    async def _opened(
        self, reference: Reference, resolved: Digest | None, limits: Limits, kind: str
    ) -> AsyncIterator[ImageFiles]:
        """The image, permitted by policy, with its manifest for our platform; measured, and within its deadline."""
        began = time.monotonic()
        is_success = False
        deadline_s = self.settings.timing.pull_s
        try:
            async with asyncio.timeout(deadline_s), AsyncExitStack() as stack:
                pinned = reference.pinned(resolved or await self._digest_of(reference))
                source = await stack.enter_async_context(self._access.permitted(pinned))
                manifest = await self._manifest(source, pinned, reference, limits)
                yield ImageFiles(pinned, manifest, source)
            is_success = True
        except TimeoutError as error:
            raise RetryableError(f"error copying image: {reference} was not complete after {deadline_s:g} s") from error
        finally:
            self._meters.pulled(kind, time.monotonic() - began, is_success=is_success)

    async def _manifest(self, source: Source, pinned: Reference, reference: Reference, limits: Limits) -> ImageManifest:
        """The manifest of the image for our platform, following indexes."""
        wanted = pinned.digest
        for _ in range(_INDEX_DEPTH):
            assert wanted is not None
            with explained("error copying image"):
                raw = await source.manifest(wanted, limits.manifest_bytes)
            try:
                parsed = parse_manifest(raw.data, raw.content_type)
                if isinstance(parsed, ImageManifest):
                    return parsed
                wanted = select(parsed, self.settings.platform).digest
            except ValueError as error:
                raise _decided(reference, f"error copying image: {pinned}: {error}") from error
        raise _decided(reference, f"error copying image: {pinned}: more than {_INDEX_DEPTH} indexes in each other")

    async def _deliver(self, image: ImageFiles, request: FileRequest) -> LayerFiles:
        async with self._unpacks:
            return await image.deliver(request, self._executor, self._meters)

    async def _pulled(self, image: ImageFiles, keep: str, files: LayerFiles) -> PulledImage:
        return PulledImage(
            canonical_ref=str(image.reference),
            digest=image.digest,
            configs_dir=keep,
            config_type=image.manifest.config.media_type,
            file_count=files.file_count,
            size_bytes=files.size_bytes,
            warnings=(*_link_warnings(files), *await self._policy_warnings()),
        )

    async def _policy_warnings(self) -> tuple[str, ...]:
        """Said once per puller: it is about the machine, not about the image."""
        warning = "" if self._has_warned else await self._access.policy_warning()
        self._has_warned = self._has_warned or bool(warning)
        return (warning,) if warning else ()


async def _configs_dir(image: ImageFiles, reference: Reference, limits: Limits) -> str:
    """The plain name of the directory that the image's label names."""
    with explained("error copying image"):
        config = await image.source.small_blob(image.manifest.config, limits.config_bytes)
    try:
        label = labels_of(config).get(CONFIGS_LABEL)
    except ValueError as error:
        raise _decided(reference, f"error copying image: {image.reference}: {error}") from error
    if label is None:
        raise _decided(
            reference, f'error applying image: catalog image is missing the required label "{CONFIGS_LABEL}"'
        )
    return configs_dir_of(label)


def _require_catalog(image: ImageFiles, keep: str, files: LayerFiles) -> None:
    """Refuse a catalog without files or with links that lead to none: it would be served as an empty one."""
    if files.dangling:
        raise refused(str(image.reference), files.dangling[0])
    if not files.file_count:
        found = "is empty" if files.has_directory else "is not in the image"
        raise TerminalError(
            f"error applying image: the directory {quoted('/' + keep)} named by the label "
            f'"{CONFIGS_LABEL}" {found}: {image.reference}'
        )


def _link_warnings(files: LayerFiles) -> tuple[str, ...]:
    if not files.dangling:
        return ()
    first = files.dangling[0]
    return (f"{len(files.dangling)} links were left out, the first: entry {quoted(first.entry)}: {first}",)


def _decided(reference: Reference, message: str) -> OlmError:
    """The error for a fact that a digest has decided for ever, while a tag may move to a better image."""
    return TerminalError(message) if reference.digest is not None else RetryableError(message)
