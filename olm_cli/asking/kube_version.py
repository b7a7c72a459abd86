"""The Kubernetes version of a cluster, as the resolver wants it."""

from __future__ import annotations

import msgspec

from olmv1.kube.client import KubeClient
from olmv1.kube.errors import ApiError
from olmv1.served import version_of

__all__ = ["kube_version_of"]

_VERSION = msgspec.json.Decoder(dict[str, str])


async def kube_version_of(client: KubeClient) -> str | None:
    """The version of the API server; `None` when it does not say: no bundle is refused for it then."""
    try:
        answer = await client.fetch("/version")
        return version_of(_VERSION.decode(answer.body).get("gitVersion", "")) or None
    except (ApiError, msgspec.DecodeError):
        return None
