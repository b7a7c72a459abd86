"""Images for tests, built in memory: archives with any entry, layers in every compression, manifests and indexes."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import orjson

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = [
    "DOCKER",
    "OCI",
    "Entry",
    "Image",
    "a_layer",
    "an_archive",
    "an_image",
    "an_index",
    "files",
    "packed",
    "sha256",
]

CONFIGS_LABEL = "operators.operatorframework.io.index.configs.v1"


@dataclass(frozen=True)
class MediaTypes:
    manifest: str
    index: str
    config: str
    layer: str


OCI = MediaTypes(
    "application/vnd.oci.image.manifest.v1+json",
    "application/vnd.oci.image.index.v1+json",
    "application/vnd.oci.image.config.v1+json",
    "application/vnd.oci.image.layer.v1.tar+gzip",
)
DOCKER = MediaTypes(
    "application/vnd.docker.distribution.manifest.v2+json",
    "application/vnd.docker.distribution.manifest.list.v2+json",
    "application/vnd.docker.container.image.v1+json",
    "application/vnd.docker.image.rootfs.diff.tar.gzip",
)


@dataclass(frozen=True)
class Entry:
    """One archive entry of any type (`tarfile` constants); `size` lies about the content when given."""

    name: str
    content: bytes = b""
    type: bytes = tarfile.REGTYPE
    link: str = ""
    pax: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Image:
    """A manifest or index with everything below it: blobs by digest, further manifests (digest → bytes, type)."""

    manifest: bytes
    media_type: str
    blobs: Mapping[str, bytes]
    children: Mapping[str, tuple[bytes, str]] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        return sha256(self.manifest)


def sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def files(contents: Mapping[str, bytes]) -> list[Entry]:
    return [Entry(name, content) for name, content in contents.items()]


def an_archive(entries: Iterable[Entry], *, form: int = tarfile.PAX_FORMAT) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for entry in entries:
            info = tarfile.TarInfo(entry.name)
            info.type, info.linkname, info.size = entry.type, entry.link, len(entry.content)
            info.pax_headers = dict(entry.pax)
            archive.addfile(info, io.BytesIO(entry.content))
    return buffer.getvalue()


def packed(data: bytes, compression: str) -> bytes:
    match compression:
        case "gzip":
            return gzip.compress(data, 1, mtime=0)
        case "zstd":
            return zstd.compress(data)
        case _:
            return data


def a_layer(entries: Iterable[Entry] | Mapping[str, bytes], compression: str = "gzip") -> bytes:
    listed = files(entries) if isinstance(entries, Mapping) else entries
    return packed(an_archive(listed), compression)


def an_image(
    layers: Sequence[bytes],
    labels: Mapping[str, str] | None = None,
    *,
    types: MediaTypes = OCI,
    config: bytes | None = None,
    layer_type: str = "",
) -> Image:
    """An image of `layers`, oldest first."""
    if config is None:
        config = orjson.dumps({"os": "linux", "config": {"Labels": dict(labels or {})}})
    manifest = {
        "schemaVersion": 2,
        "mediaType": types.manifest,
        "config": _descriptor(config, types.config),
        "layers": [_descriptor(layer, layer_type or types.layer) for layer in layers],
    }
    blobs = {sha256(blob): blob for blob in (config, *layers)}
    return Image(orjson.dumps(manifest), types.manifest, blobs)


def a_catalog_image(contents: Mapping[str, bytes], directory: str = "/configs") -> Image:
    """A catalog of one layer."""
    inside = {f"{directory.strip('/')}/{name}": data for name, data in contents.items()}
    return an_image([a_layer(inside)], {CONFIGS_LABEL: directory})


def an_index(images: Mapping[str, Image], *, types: MediaTypes = OCI) -> Image:
    """An index of `images` by platform (`linux/arm64/v8`; empty: none is named)."""
    entries = []
    blobs: dict[str, bytes] = {}
    children: dict[str, tuple[bytes, str]] = {}
    for platform, image in images.items():
        entry = _descriptor(image.manifest, image.media_type)
        if platform:
            entry["platform"] = dict(zip(("os", "architecture", "variant"), platform.split("/"), strict=False))
        entries.append(entry)
        blobs |= image.blobs
        children |= {**image.children, image.digest: (image.manifest, image.media_type)}
    manifest = {"schemaVersion": 2, "mediaType": types.index, "manifests": entries}
    return Image(orjson.dumps(manifest), types.index, blobs, children)


def _descriptor(data: bytes, media_type: str) -> dict[str, object]:
    return {"mediaType": media_type, "digest": sha256(data), "size": len(data)}
