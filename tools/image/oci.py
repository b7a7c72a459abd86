"""A root file system as an OCI archive, which engines and registry tools read. The same root gives the same bytes."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import platform
import shutil
import tarfile
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tools.image.containerfile import Config

__all__ = ["write_archive"]

_ARCHITECTURES = {"aarch64": "arm64", "x86_64": "amd64"}
_MANIFEST = "application/vnd.oci.image.manifest.v1+json"
_CONFIG = "application/vnd.oci.image.config.v1+json"
_LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
_LEVEL = 6


@dataclass(frozen=True, slots=True)
class _Blob:
    content: Path | bytes
    size: int
    hexdigest: str

    def descriptor(self, media_type: str) -> dict[str, Any]:
        return {"mediaType": media_type, "digest": f"sha256:{self.hexdigest}", "size": self.size}


def write_archive(root: Path, config: Config, path: Path) -> str:
    """Write the image with one layer, everything in it owned by root, to `path`; returns the digest of its manifest."""
    with tempfile.TemporaryDirectory(dir=path.parent) as scratch:
        layer, diff_id = _layer(root, Path(scratch))
        told = _json_blob(_config(config, diff_id))
        manifest = _json_blob(
            {
                "schemaVersion": 2,
                "mediaType": _MANIFEST,
                "config": told.descriptor(_CONFIG),
                "layers": [layer.descriptor(_LAYER)],
            }
        )
        index = {"schemaVersion": 2, "manifests": [manifest.descriptor(_MANIFEST)]}
        partial = Path(scratch) / "archive"
        with tarfile.open(partial, "w") as archive:
            _add(archive, "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
            _add(archive, "index.json", _json(index))
            for blob in (told, manifest, layer):
                _add(archive, f"blobs/sha256/{blob.hexdigest}", blob.content)
        partial.rename(path)
    return f"sha256:{manifest.hexdigest}"


def _config(config: Config, diff_id: str) -> Mapping[str, Any]:
    return {
        "architecture": _ARCHITECTURES.get(platform.machine(), platform.machine()),
        "os": "linux",
        "config": {
            "User": config.user,
            "Env": [f"{name}={value}" for name, value in sorted(config.environment.items())],
            "Cmd": list(config.command),
            "Labels": dict(sorted(config.labels.items())),
        },
        "rootfs": {"type": "layers", "diff_ids": [diff_id]},
    }


def _layer(root: Path, scratch: Path) -> tuple[_Blob, str]:
    """The compressed layer, and the digest of what is in it."""
    plain, packed = scratch / "layer.tar", scratch / "layer.tar.gz"
    with tarfile.open(plain, "w", format=tarfile.PAX_FORMAT) as archive:
        for entry in sorted(root.rglob("*")):
            archive.add(entry, str(entry.relative_to(root)), recursive=False, filter=_anonymous)
    # without a name and a time in its head, equal layers are equal files
    with (
        plain.open("rb") as source,
        packed.open("wb") as file,
        gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=file, mtime=0) as target,
    ):
        shutil.copyfileobj(source, target, 1024 * 1024)
    return _Blob(packed, packed.stat().st_size, _sha256(packed)), f"sha256:{_sha256(plain)}"


def _anonymous(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    entry.mtime = 0
    return entry


def _add(archive: tarfile.TarFile, name: str, content: Path | bytes) -> None:
    entry = tarfile.TarInfo(name)
    if isinstance(content, bytes):
        _add_stream(archive, entry, io.BytesIO(content), len(content))
    else:
        with content.open("rb") as file:
            _add_stream(archive, entry, file, content.stat().st_size)


def _add_stream(archive: tarfile.TarFile, entry: tarfile.TarInfo, content: IO[bytes], size: int) -> None:
    entry.size = size
    archive.addfile(entry, content)


def _json_blob(value: Mapping[str, Any]) -> _Blob:
    content = _json(value)
    return _Blob(content, len(content), hashlib.sha256(content).hexdigest())


def _json(value: Mapping[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
