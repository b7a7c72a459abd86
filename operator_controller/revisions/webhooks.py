"""The webhooks of a revision: which Services they call, whether those answer, and what to say when they do not.

A webhook configuration is made when the Services behind it have an endpoint, and not before; one that was deleted while
its endpoint is away stays away. So a person can always break a webhook that blocks its own repair.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from olmv1.manifests import Manifest, name_of

__all__ = ["ADMISSION_GROUP", "called_services", "failed_webhooks", "has_endpoint", "own_webhook_advice"]

ADMISSION_GROUP = "admissionregistration.k8s.io"

_FAILED_CALL = re.compile(r'failed calling webhook "([^"]+)"')


def called_services(configuration: Manifest) -> tuple[tuple[str, str], ...]:
    """Namespace and name of every Service that a webhook configuration calls, sorted."""
    found = set()
    for webhook in _webhooks(configuration):
        client = webhook.get("clientConfig")
        service = client.get("service") if isinstance(client, Mapping) else None
        if isinstance(service, Mapping):
            found.add((str(service.get("namespace")), str(service.get("name"))))
    return tuple(sorted(found))


def has_endpoint(slices: Iterable[Manifest]) -> bool:
    """Whether the EndpointSlices of a Service hold an endpoint that takes calls; unknown readiness counts as ready."""
    return any(
        (endpoint.get("conditions") or {}).get("ready") is not False
        for item in slices
        for endpoint in item.get("endpoints") or ()
    )


def failed_webhooks(text: str) -> frozenset[str]:
    """The webhooks that the API server says it could not call."""
    return frozenset(_FAILED_CALL.findall(text))


def own_webhook_advice(failed: frozenset[str], configurations: Iterable[Manifest]) -> Iterator[str]:
    """A line for each of the revision's own configurations that holds one of the `failed` webhooks."""
    for configuration in configurations:
        names = sorted(failed.intersection(str(webhook.get("name")) for webhook in _webhooks(configuration)))
        if names:
            kind, name = configuration.get("kind"), name_of(configuration)
            yield (
                f"the revision cannot be written because of its own webhook {', '.join(names)}: if its endpoint does "
                f'not come up, delete {kind} "{name}"; it is made again when the endpoint is ready'
            )


def _webhooks(configuration: Manifest) -> Iterator[Mapping[str, Any]]:
    webhooks = configuration.get("webhooks")
    return (webhook for webhook in (webhooks if isinstance(webhooks, list) else ()) if isinstance(webhook, Mapping))
