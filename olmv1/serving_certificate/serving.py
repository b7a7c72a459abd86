"""Which certificate the servers of a process have, as its settings say."""

from __future__ import annotations

import ssl
from typing import Protocol

from prometheus_client import CollectorRegistry

from olmv1.kube.client import KubeClient
from olmv1.settings import CommonSettings, SecretName
from olmv1.tls import ReloadingContext, server_context

__all__ = ["Serving", "serving_of"]


class Serving(Protocol):
    """A certificate that is kept up to date while `follow` runs; `context` stays the same object."""

    context: ssl.SSLContext

    async def follow(self, client: KubeClient) -> None:
        """Keep the certificate up to date until cancelled."""
        ...

    def what_is_missing(self) -> str | None:
        """Why the servers cannot be spoken to yet, or `None`; quick, and answers from memory."""
        ...


class _Files:
    """A certificate that somebody else keeps up to date in files."""

    def __init__(self, files: ReloadingContext) -> None:
        self.context = files.context
        self._files = files

    async def follow(self, _client: KubeClient) -> None:
        await self._files.watch()

    def what_is_missing(self) -> str | None:
        return None  # without the files the process does not start


def serving_of(settings: CommonSettings, registry: CollectorRegistry) -> Serving | None:
    """The certificate that `settings` ask for; `None` when they ask for none and servers speak plain HTTP.

    Raises:
        RetryableError: its files cannot be used.
    """
    if settings.own_certificates:
        # Making certificates costs a tenth of a second of imports that others need not pay.
        from olmv1.serving_certificate.own import OwnCertificate  # noqa: PLC0415
        from olmv1.serving_certificate.renewal import Wanted  # noqa: PLC0415

        place = SecretName(settings.namespace, settings.own_certificates)
        wanted = Wanted(settings.certificate_names(), settings.own_certificates)
        return OwnCertificate(place, wanted, settings.profile(), registry)
    if settings.tls_cert and settings.tls_key:
        return _Files(server_context(settings.tls_cert, settings.tls_key, settings.profile(), registry))
    return None
