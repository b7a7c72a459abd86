"""A watch of a kind that a cluster may not have: opened when its API is seen, closed when it is gone.

Whoever uses it invalidates the discovery when the CRD changes; nothing here asks a cluster without the API for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from olmv1.errors import RetryableError
from olmv1.kube.caches import Cache, Caches, Change
from olmv1.kube.discovery import Discovery
from olmv1.kube.resources import Resource

__all__ = ["OptionalWatch"]

_PATIENCE_S = 5.0
"""For the first list; once it did not come in this time nobody is held up by it any more."""


class OptionalWatch:
    """The objects of `resource` on clusters that serve it; `changed` is called for every change of one."""

    def __init__(
        self,
        caches: Caches,
        discovery: Discovery,
        resource: Resource,
        changed: Callable[[Change], None],
        *,
        field_selector: str = "",
    ) -> None:
        self.resource = resource
        self._caches = caches
        self._discovery = discovery
        self._changed = changed
        self._field_selector = field_selector
        self._is_given_up = False
        self._cache: Cache | None = None

    @property
    def definition(self) -> str:
        """The name of the CRD that brings the kind."""
        return f"{self.resource.plural}.{self.resource.group}"

    async def cache(self) -> Cache | None:
        """The complete cache, or `None` when the cluster does not serve the kind.

        Raises:
            RetryableError: it is served, and cannot be read.
            ApiError: the server cannot be asked what it serves.
        """
        wanted = self.resource
        if not (await self._discovery.served()).has(wanted.group, wanted.kind, wanted.version):
            self._close()
            return None
        if self._cache is None:
            self._cache = self._caches.open(wanted, field_selector=self._field_selector)
            self._cache.add_handler(self._changed, replay=False)
            self._is_given_up = False
        cache = self._cache
        try:
            async with asyncio.timeout(0 if self._is_given_up else _PATIENCE_S):
                await cache.wait_synced()
        except TimeoutError as error:
            self._is_given_up = True
            raise RetryableError(f"the {wanted.plural} of the cluster ({wanted.api_version}) cannot be read") from error
        return cache

    def _close(self) -> None:
        if self._cache is not None:
            self._caches.close(self._cache)
            self._cache = None
