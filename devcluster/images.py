"""OCI images made in memory, without a container engine: the same files give the same bytes.

Pushing is `image_push`; folders are read here. Used by tests, the demo and the benchmarks.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

__all__ = [
    "CATALOG_LABEL",
    "Image",
    "ImageIndex",
    "bundle_image",
    "catalog_image",
    "chart_image",
    "digest_of",
    "files_of",
    "image_of",
    "image_of_tars",
    "index_of",
    "tar_of",
]

Compression = Literal["gzip", "zstd", "none"]
CATALOG_LABEL = "operators.operatorframework.io.index.configs.v1"

_BUNDLE_FOLDERS = ("manifests", "metadata", "tests")
_MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json"
_INDEX_TYPE = "application/vnd.oci.image.index.v1+json"
_CONFIG_TYPE = "application/vnd.oci.image.config.v1+json"
_CHART_CONFIG_TYPE = "application/vnd.cncf.helm.config.v1+json"
_CHART_LAYER_TYPE = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
_LAYER_TYPES: Mapping[Compression, str] = {
    "gzip": "application/vnd.oci.image.layer.v1.tar+gzip",
    "zstd": "application/vnd.oci.image.layer.v1.tar+zstd",
    "none": "application/vnd.oci.image.layer.v1.tar",
}


@dataclass(frozen=True, slots=True)
class Image:
    """One image: its manifest, and the blobs (config first, then the layers) that the manifest names."""

    manifest: bytes
    blobs: tuple[bytes, ...]
    architecture: str
    media_type: str = _MANIFEST_TYPE

    @property
    def digest(self) -> str:
        """`sha256:…` of the manifest."""
        return digest_of(self.manifest)


@dataclass(frozen=True, slots=True)
class ImageIndex:
    """A multi-architecture image: the index document and the images that it names."""

    manifest: bytes
    images: tuple[Image, ...]
    media_type: str = _INDEX_TYPE

    @property
    def digest(self) -> str:
        """`sha256:…` of the index."""
        return digest_of(self.manifest)


def image_of(
    files: Mapping[str, bytes] | Sequence[Mapping[str, bytes]],
    *,
    labels: Mapping[str, str] | None = None,
    compression: Compression = "gzip",
    architecture: str = "amd64",
) -> Image:
    """An image for linux with the given files, path to content; a sequence gives one layer each, the lowest first.

    A path that ends with `/` is an empty folder. Layers with links or other odd entries: `image_of_tars`.
    """
    layers = [files] if isinstance(files, Mapping) else files
    return image_of_tars(
        [tar_of(layer) for layer in layers], labels=labels, compression=compression, architecture=architecture
    )


def image_of_tars(
    tars: Sequence[bytes],
    *,
    labels: Mapping[str, str] | None = None,
    compression: Compression = "gzip",
    architecture: str = "amd64",
) -> Image:
    """An image whose layers are the given tar archives, whatever they hold; for tests of hostile images."""
    config: dict[str, Any] = {
        "architecture": architecture,
        "os": "linux",
        "config": {"Labels": dict(sorted((labels or {}).items()))},
        "rootfs": {"type": "layers", "diff_ids": [digest_of(tar) for tar in tars]},
    }
    blobs = (_json(config), *(_compress(tar, compression) for tar in tars))
    manifest = {
        "schemaVersion": 2,
        "mediaType": _MANIFEST_TYPE,
        "config": _descriptor(_CONFIG_TYPE, blobs[0]),
        "layers": [_descriptor(_LAYER_TYPES[compression], blob) for blob in blobs[1:]],
    }
    return Image(_json(manifest), blobs, architecture)


def index_of(images: Sequence[Image]) -> ImageIndex:
    """One multi-architecture image of several; each must have an architecture of its own."""
    manifests = [
        _descriptor(image.media_type, image.manifest)
        | {"platform": {"architecture": image.architecture, "os": "linux"}}
        for image in images
    ]
    index = {"schemaVersion": 2, "mediaType": _INDEX_TYPE, "manifests": manifests}
    return ImageIndex(_json(index), tuple(images))


def catalog_image(
    source: Path | Mapping[str, bytes], *, compression: Compression = "gzip", labels: Mapping[str, str] | None = None
) -> Image:
    """A catalog image: `source` is the folder, or the paths and contents, of what is below its `/configs`."""
    placed = {f"configs/{path}": content for path, content in _read(source).items()}
    return image_of(placed, labels={CATALOG_LABEL: "/configs", **(labels or {})}, compression=compression)


def bundle_image(source: Path | Mapping[str, bytes], *, compression: Compression = "gzip") -> Image:
    """A registry+v1 bundle image: `source` is the folder, or the paths and contents, of what is below its root.

    Only `manifests/`, `metadata/` and `tests/` are taken, as the usual build file of a bundle does it.
    """
    kept = {path: content for path, content in _read(source).items() if path.partition("/")[0] in _BUNDLE_FOLDERS}
    labels = {
        "operators.operatorframework.io.bundle.mediatype.v1": "registry+v1",
        "operators.operatorframework.io.bundle.manifests.v1": "manifests/",
        "operators.operatorframework.io.bundle.metadata.v1": "metadata/",
    }
    return image_of(kept, labels=labels, compression=compression)


def chart_image(source: Path | Mapping[str, bytes]) -> Image:
    """A Helm chart as `helm push` stores it; `source` is the folder, or the paths and contents, of the chart.

    The top folder in its archive is named `chart`: only the name in Chart.yaml counts.
    """
    archive = tar_of({f"chart/{path}": content for path, content in _read(source).items()})
    config, layer = b"{}", _compress(archive, "gzip")
    manifest = {
        "schemaVersion": 2,
        "mediaType": _MANIFEST_TYPE,
        "config": _descriptor(_CHART_CONFIG_TYPE, config),
        "layers": [_descriptor(_CHART_LAYER_TYPE, layer)],
    }
    return Image(_json(manifest), (config, layer), "amd64")


def tar_of(files: Mapping[str, bytes]) -> bytes:
    """A tar archive with the files in order of their paths, parents first, all of one owner and one time."""
    folders = {path.rstrip("/") for path in files if path.endswith("/")}
    for path in files:
        parts = path.rstrip("/").split("/")[:-1]
        folders.update("/".join(parts[: count + 1]) for count in range(len(parts)))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for path in sorted(folders | {path for path in files if not path.endswith("/")}):
            entry = tarfile.TarInfo(path)
            if path in folders:
                entry.type, entry.mode = tarfile.DIRTYPE, 0o755
                archive.addfile(entry)
            else:
                entry.size, entry.mode = len(files[path]), 0o644
                archive.addfile(entry, io.BytesIO(files[path]))
    return buffer.getvalue()


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below `folder`: path with slashes, relative to it, and content; links are followed."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def digest_of(content: bytes) -> str:
    """`sha256:<hex>`, as registries name content."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def _read(source: Path | Mapping[str, bytes]) -> Mapping[str, bytes]:
    return files_of(source) if isinstance(source, Path) else source


def _descriptor(media_type: str, content: bytes) -> dict[str, Any]:
    return {"mediaType": media_type, "digest": digest_of(content), "size": len(content)}


def _compress(tar: bytes, compression: Compression) -> bytes:
    match compression:
        case "gzip":
            return gzip.compress(tar, compresslevel=6, mtime=0)
        case "zstd":
            return _zstd(tar)
        case "none":
            return tar


def _zstd(content: bytes) -> bytes:
    try:
        from compression import zstd  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415 - Python 3.14
    except ImportError:
        from backports import zstd  # noqa: PLC0415
    compressed: bytes = zstd.compress(content, 3)
    return compressed


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()
