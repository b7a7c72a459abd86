"""What an image is made of: its manifest or index, the parts they list, and the labels of its configuration.

Pure: bytes in, values out. Every problem is a `ValueError` whose text says what was found; the caller adds which image.
Rule: OCI image specification 1.1 and Docker image manifest schema 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.images.digests import Digest
from olmv1.images.platforms import Platform

__all__ = [
    "ACCEPTED",
    "HELM_CONFIG",
    "Descriptor",
    "ImageIndex",
    "ImageManifest",
    "labels_of",
    "parse_manifest",
    "select",
]

OCI_INDEX = "application/vnd.oci.image.index.v1+json"
OCI_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
DOCKER_INDEX = "application/vnd.docker.distribution.manifest.list.v2+json"
DOCKER_MANIFEST = "application/vnd.docker.distribution.manifest.v2+json"
ACCEPTED = ", ".join((OCI_INDEX, OCI_MANIFEST, DOCKER_INDEX, DOCKER_MANIFEST))

HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json"
_HELM_CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_LAYER_TYPES = ("application/vnd.oci.image.layer.", "application/vnd.docker.image.rootfs.", _HELM_CONTENT)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """One part of an image by content; `platform` is set on the entries of an index that say theirs."""

    media_type: str
    digest: Digest
    size_bytes: int
    platform: Platform | None = None


@dataclass(frozen=True, slots=True)
class ImageIndex:
    """The images of one name for several platforms, in their order."""

    entries: tuple[Descriptor, ...]


@dataclass(frozen=True, slots=True)
class ImageManifest:
    """One image: its configuration and its file system layers, oldest first."""

    config: Descriptor
    layers: tuple[Descriptor, ...]


def parse_manifest(data: bytes, content_type: str = "") -> ImageManifest | ImageIndex:
    """The manifest or index that `data` spells; `content_type` counts only where the document names no type.

    Raises:
        ValueError: not JSON, of an unsupported type, or with parts that are missing or malformed.
    """
    document = _document(data)
    media_type = document.get("mediaType") or content_type.partition(";")[0].strip()
    # A document that is both would be read differently by different clients: the signed one need not be ours.
    if "manifests" in document and ("layers" in document or "config" in document):
        raise ValueError("the manifest is an image and an index at once")
    if media_type in (OCI_INDEX, DOCKER_INDEX) or (not media_type and "manifests" in document):
        return ImageIndex(tuple(_descriptor(item, "manifests") for item in _items(document, "manifests")))
    if media_type in (OCI_MANIFEST, DOCKER_MANIFEST) or "layers" in document:
        config = _descriptor(document.get("config"), "config")
        layers = tuple(_descriptor(item, "layers") for item in _items(document, "layers"))
        return ImageManifest(config, _file_systems(config, layers))
    raise ValueError(f"unsupported manifest type {media_type or 'without mediaType'!r}")


def select(index: ImageIndex, wanted: Platform) -> Descriptor:
    """The entry of `index` for `wanted`; an entry that names no platform serves when none fits.

    Raises:
        ValueError: no entry fits.
    """
    for entry in index.entries:
        if entry.platform is not None and entry.platform.fits(wanted):
            return entry
    for entry in index.entries:
        if entry.platform is None:
            return entry
    offered = ", ".join(sorted({str(entry.platform) for entry in index.entries})) or "none"
    raise ValueError(f"no image for platform {wanted} in the image index (it has: {offered})")


def labels_of(config: bytes) -> Mapping[str, str]:
    """The labels in an image configuration; empty where there are none.

    Raises:
        ValueError: not a JSON object, or the labels are not text.
    """
    inner = _document(config).get("config") or {}
    labels = (inner.get("Labels") if isinstance(inner, dict) else None) or {}
    if not isinstance(labels, dict) or not all(isinstance(value, str) for value in labels.values()):
        raise ValueError("the labels of the image configuration are not text")
    return labels


def _document(data: bytes) -> dict[str, Any]:
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error}") from error
    if not isinstance(document, dict):
        raise ValueError(f"a JSON object was expected, found {type(document).__name__}")
    return document


def _items(document: Mapping[str, Any], field: str) -> list[Any]:
    items = document.get(field)
    if not isinstance(items, list):
        raise ValueError(f'the manifest has no list "{field}"')
    return items


def _descriptor(item: object, field: str) -> Descriptor:
    if not isinstance(item, dict):
        raise ValueError(f'"{field}" holds no descriptor')
    size = item.get("size")
    if not isinstance(size, int) or isinstance(size, bool) or size < 0:
        raise ValueError(f'"{field}" holds a descriptor with size {size!r}')
    digest = item.get("digest")
    try:
        parsed = Digest.parse(digest if isinstance(digest, str) else "")
    except ValueError as error:
        raise ValueError(f'"{field}" holds a descriptor with digest {digest!r}: {error}') from error
    return Descriptor(str(item.get("mediaType") or ""), parsed, size, _platform(item.get("platform")))


def _platform(item: object) -> Platform | None:
    if not isinstance(item, dict):
        return None
    return Platform(str(item.get("os", "")), str(item.get("architecture", "")), str(item.get("variant", "")))


def _file_systems(config: Descriptor, layers: tuple[Descriptor, ...]) -> tuple[Descriptor, ...]:
    """The layers that are file systems, or the one of a chart without its provenance; anything else is refused."""
    if config.media_type == HELM_CONFIG:
        charts = tuple(layer for layer in layers if layer.media_type == _HELM_CONTENT)
        if len(charts) != 1:
            raise ValueError(f"a Helm chart with one layer {_HELM_CONTENT!r} was expected, found {len(charts)}")
        return charts
    known = tuple(layer for layer in layers if layer.media_type.startswith(_LAYER_TYPES))
    if len(known) != len(layers):
        strange = next(layer for layer in layers if layer not in known)
        raise ValueError(f"unsupported layer type {strange.media_type!r}")
    return known
