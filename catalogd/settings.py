"""The settings of catalogd: what both daemons have, and its own flags."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar
from urllib.parse import urlsplit

from pydantic import Field
from pydantic_settings import SettingsConfigDict

from catalogd.server.routes import Endpoint
from olmv1.settings import BindAddress, CommonSettings, Duration, Gate, GateKind
from olmv1.settings.common import Address

__all__ = ["Settings"]


class Settings(CommonSettings):
    """What catalogd is told at start; each field is a flag, and an environment variable. Rule: clustercatalog.md 10."""

    model_config = SettingsConfigDict(env_prefix="CATALOGD_")

    known_gates: ClassVar[tuple[Gate, ...]] = (
        Gate("APIV1MetasHandler", default=True),
        Gate("GraphQLCatalogQueries", default=False, kind=GateKind.FIXED, why="it is not offered yet"),
    )
    default_metrics_address: ClassVar[BindAddress] = BindAddress(None, 7443)
    metrics_tls_message: ClassVar[str] = "metrics-bind-address requires tls-cert and tls-key flags"

    catalogs_server_addr: Address = Field(BindAddress(None, 8443), description="address of the catalog content server")
    external_address: str = Field(
        "catalogd-service.olmv1-system.svc",
        description="host[:port] of status.urls.base; without a scheme: https when a certificate is given",
    )
    cache_dir: Path = Field(
        Path("/var/cache/catalogd"), description="folder for the content of catalogs; kept over restarts"
    )
    gc_interval: Duration = Field(12 * 3600.0, gt=0, description="time between two removals of content nobody needs")
    webhook_server_port: int = Field(9443, description="accepted for the reference's manifests, without effect")
    max_downloads: int = Field(256, ge=1, description="answers above 1 MiB that are sent at the same time")
    workers: int = Field(4, ge=1, le=64, description="catalogs that are worked on at once")

    def base_url(self, name: str) -> str:
        """`status.urls.base` of a catalog: `https://<external-address>/catalogs/<name>`."""
        address = self.external_address.rstrip("/")
        if "://" not in address:
            address = f"{'https' if self.has_certificate else 'http'}://{address}"
        return f"{address}/catalogs/{name}"

    def served_hosts(self) -> tuple[str, ...]:
        """The host of the external address, and the Service. Rule: clustercatalog.md 10, "Certificate names"."""
        service = f"catalogd-service.{self.namespace}.svc"
        return (urlsplit(self.base_url("")).hostname or "", service, f"{service}.cluster.local")

    @property
    def endpoints(self) -> frozenset[Endpoint]:
        """The endpoints that the gates leave on."""
        metas = {Endpoint.METAS} if self.feature_gates.is_on("APIV1MetasHandler") else set()
        return frozenset({Endpoint.ALL, *metas})
