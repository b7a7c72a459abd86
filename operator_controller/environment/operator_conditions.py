"""The OperatorConditions of the cluster, watched from the moment that an extension has one. Rule: decision 19."""

from __future__ import annotations

from collections.abc import Callable

from olmv1.kube.caches import Caches, Change
from olmv1.kube.discovery import Discovery
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest, key_of
from operator_controller.operator_conditions import GROUP, KIND

__all__ = ["OperatorConditions"]

_PLURAL = "operatorconditions"


class OperatorConditions:
    """Reads OperatorConditions, in v2 where it is served, else in v1; `changed` gets the namespace of a changed one."""

    def __init__(self, caches: Caches, discovery: Discovery, changed: Callable[[str], None]) -> None:
        self._tell = changed
        resources = (Resource(GROUP, version, _PLURAL, KIND, True) for version in ("v2", "v1"))
        self._watches = tuple(OptionalWatch(caches, discovery, each, self._changed) for each in resources)

    @property
    def definition(self) -> str:
        """The name of the CRD that brings the kind."""
        return self._watches[0].definition

    async def get(self, namespace: str, name: str) -> Manifest | None:
        """The OperatorCondition; `None` when there is none, or no such API.

        Raises: RetryableError when the API is served and cannot be read: the operator may have something to say.
        """
        for watch in self._watches:
            cache = await watch.cache()
            if cache is not None:
                return cache.get(name, namespace)
        return None

    def _changed(self, change: Change) -> None:
        self._tell(key_of(change.object).namespace)
