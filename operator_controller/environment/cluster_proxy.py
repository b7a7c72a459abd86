"""OpenShift's cluster-wide proxy, as environment variables of operators. Rule: bundle-rendering.md 14, "cluster proxy".

The object `cluster` of `config.openshift.io/v1 Proxy` is watched from the moment its API is seen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from olmv1.kube.caches import Caches, Change
from olmv1.kube.discovery import Discovery
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest

__all__ = ["ClusterProxy", "proxy_environment"]

_PROXIES = Resource("config.openshift.io", "v1", "proxies", "Proxy", False)
_NAME = "cluster"
_NOTHING: Mapping[str, str] = MappingProxyType({})


def proxy_environment(proxy: Manifest | None) -> Mapping[str, str]:
    """`HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` as the object's status has them; without what is empty."""
    status = (proxy or {}).get("status") or {}
    names = {"HTTP_PROXY": "httpProxy", "HTTPS_PROXY": "httpsProxy", "NO_PROXY": "noProxy"}
    found = {variable: str(status.get(field) or "") for variable, field in names.items()}
    return {variable: value for variable, value in found.items() if value}


class ClusterProxy:
    """The proxy of this cluster; `changed` is called when it is another one."""

    def __init__(self, caches: Caches, discovery: Discovery, changed: Callable[[], None]) -> None:
        self._watch = OptionalWatch(caches, discovery, _PROXIES, self._compare, field_selector=f"metadata.name={_NAME}")
        self._tell = changed

    @property
    def definition(self) -> str:
        """The name of the CRD whose coming and going changes the answer."""
        return self._watch.definition

    async def environment(self) -> Mapping[str, str]:
        """The variables; none on clusters without this API.

        Raises: RetryableError when the API is served and cannot be read, as operators would start without their proxy.
        """
        cache = await self._watch.cache()
        return _NOTHING if cache is None else proxy_environment(cache.get(_NAME))

    def _compare(self, change: Change) -> None:
        if change.type != "MODIFIED" or proxy_environment(change.object) != proxy_environment(change.old):
            self._tell()
