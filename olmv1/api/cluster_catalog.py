"""ClusterCatalog: an image with a file-based catalog that catalogd serves.

Rule: clustercatalog.md 1; the schema is `config/crd/olm.operatorframework.io_clustercatalogs.yaml`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from olmv1.api.objects import ApiModel, ApiObject, StatusCondition, Timestamp, TupleOf

__all__ = [
    "AvailabilityMode",
    "CatalogSource",
    "CatalogUrls",
    "ClusterCatalog",
    "ClusterCatalogSpec",
    "ClusterCatalogStatus",
    "ImageSource",
    "ResolvedImage",
    "ResolvedSource",
]

AvailabilityMode = Literal["Available", "Unavailable"]

ImageReference = Annotated[str, Field(max_length=1000)]


class ImageSource(ApiModel):
    """The catalog image; a tag is polled every `poll_interval_minutes`, `None` means never."""

    ref: ImageReference
    poll_interval_minutes: Annotated[int, Field(ge=1)] | None = None


class CatalogSource(ApiModel):
    """Where the catalog comes from: an image, the only source there is."""

    type: Literal["Image"]
    image: ImageSource


class ClusterCatalogSpec(ApiModel):
    """What the user wants; among catalogs that offer equal bundles the highest `priority` wins."""

    source: CatalogSource
    priority: Annotated[int, Field(ge=-(2**31), le=2**31 - 1)] = 0
    availability_mode: AvailabilityMode = "Available"


class ResolvedImage(ApiModel):
    """The image by digest: `<repository>@<digest>`."""

    ref: ImageReference


class ResolvedSource(ApiModel):
    """What is served now."""

    type: Literal["Image"]
    image: ResolvedImage


class CatalogUrls(ApiModel):
    """Where it is served; paths such as `/api/v1/all` are appended to `base`."""

    base: Annotated[str, Field(max_length=525)]


class ClusterCatalogStatus(ApiModel):
    """What was observed; written by catalogd only."""

    conditions: TupleOf[StatusCondition] = ()
    resolved_source: ResolvedSource | None = None
    urls: CatalogUrls | None = None
    last_unpacked: Timestamp | None = None


class ClusterCatalog(ApiObject):
    """One catalog of the cluster."""

    api_version: Literal["olm.operatorframework.io/v1"] = "olm.operatorframework.io/v1"
    kind: Literal["ClusterCatalog"] = "ClusterCatalog"
    spec: ClusterCatalogSpec
    status: ClusterCatalogStatus = Field(default_factory=ClusterCatalogStatus)
