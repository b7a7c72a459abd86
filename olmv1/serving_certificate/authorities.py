"""The other side: a client that trusts what a Secret publishes, and follows it while it runs."""

from __future__ import annotations

import asyncio

from olmv1.errors import RetryableError
from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import SECRETS
from olmv1.manifests import Manifest
from olmv1.serving_certificate.material import AUTHORITIES, authorities_in
from olmv1.settings import SecretName
from olmv1.telemetry.logs import get_logger
from olmv1.tls import ClientContext

__all__ = ["follow_authorities"]

log = get_logger(__name__)


async def follow_authorities(client: KubeClient, place: SecretName, trust: ClientContext) -> None:
    """Let `trust` have the authorities in `ca.crt` of the Secret at `place`, until cancelled.

    A Secret that is gone is trusted no more: deleting it is how an administrator takes trust back. One that says
    nothing readable changes nothing.
    """
    async with Caches(client) as caches:
        cache = caches.open(
            SECRETS, namespace=place.namespace, field_selector=f"metadata.name={place.name}", transform=_public
        )
        await cache.wait_synced()
        if cache.get(place.name, place.namespace) is None:
            log.warning("authorities not known yet: there is no such Secret", secret=str(place))
        cache.add_handler(lambda change: _take(None if change.type == "DELETED" else change.object, place, trust))
        await asyncio.Event().wait()


def _take(secret: Manifest | None, place: SecretName, trust: ClientContext) -> None:
    pem = "" if secret is None else authorities_in(secret.get("data") or {})
    if secret is not None and not pem:
        log.error("authorities not taken: no certificates found", secret=str(place), key=AUTHORITIES)
        return
    try:
        is_news = trust.also_trust(pem)
    except RetryableError as error:
        log.error("authorities not taken", secret=str(place), error=str(error))
        return
    if is_news:
        log.info("authorities taken", secret=str(place), certificates=pem.count("BEGIN CERTIFICATE"))


def _public(secret: Manifest) -> Manifest:
    """The Secret with nothing of its content but what is public: no key is held in memory."""
    data = secret.get("data")
    public = {AUTHORITIES: data[AUTHORITIES]} if isinstance(data, dict) and AUTHORITIES in data else {}
    return {**{key: secret[key] for key in ("apiVersion", "kind", "metadata") if key in secret}, "data": public}
