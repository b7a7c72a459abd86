"""The objects of a revision as content-addressed entries of immutable Secrets, and back.

A ClusterObjectSet refers to its objects instead of holding them, because etcd bounds one object to about 1.5 MiB and
real bundles exceed that. Names and keys are derived from the content, so a retry after a crash writes the same again.
Rule: revisions.md 3.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from olmv1.errors import RetryableError, TerminalError
from olmv1.manifests import Manifest
from operator_controller.revisions.phases import Phase

__all__ = ["MAX_OBJECT_BYTES", "MAX_SECRET_BYTES", "ObjectRef", "Packed", "pack", "phase_digest", "unpack_object"]

MAX_SECRET_BYTES = 921_600
"""900 KiB: what one Secret may hold, below the 1 MiB that the API server admits; larger objects are compressed."""

MAX_OBJECT_BYTES = 10_485_760
"""10 MiB: one object after decompression; more is refused as a bomb."""

_GZIP_MAGIC = b"\x1f\x8b"
_GZIP_HEADER_BYTES = 10
_DEFLATE = 8
"""The method of every gzip file; it follows the magic number."""


@dataclass(frozen=True, slots=True)
class ObjectRef:
    """Where one object of a revision is stored."""

    secret: str
    key: str


@dataclass(frozen=True, slots=True)
class Packed:
    """Secrets by name (key → stored bytes), and per phase the references to its objects in order."""

    secrets: Mapping[str, Mapping[str, bytes]]
    phases: tuple[tuple[str, tuple[ObjectRef, ...]], ...]


def pack(revision_name: str, phases: Iterable[Phase]) -> Packed:
    """Fill Secrets with the objects of all phases in order; equal content in one Secret is stored once.

    Raises:
        TerminalError: an object does not fit a Secret even when compressed.
    """
    chunks: list[dict[str, bytes]] = [{}]
    placed: list[tuple[str, list[tuple[int, str]]]] = []
    for index, phase in enumerate(phases):
        places = []
        for position, manifest in enumerate(phase.objects):
            data = _encode(manifest, index, position)
            key = _content_key(data)
            if key not in chunks[-1] and sum(map(len, chunks[-1].values())) + len(data) > MAX_SECRET_BYTES:
                chunks.append({})
            chunks[-1][key] = data
            places.append((len(chunks) - 1, key))
        placed.append((phase.name, places))
    names = [_secret_name(revision_name, chunk) for chunk in chunks]
    refs = tuple((name, tuple(ObjectRef(names[chunk], key) for chunk, key in places)) for name, places in placed)
    return Packed({name: chunk for name, chunk in zip(names, chunks, strict=True) if chunk}, refs)


def unpack_object(data: bytes, key: str, where: str) -> dict[str, Any]:
    """The object stored as `data` under `key` of the Secret `where` (`<namespace>/<name>`).

    Raises:
        RetryableError: broken gzip, too large, or not a JSON object. Rule: revisions.md 3.3.
    """
    if data.startswith(_GZIP_MAGIC):
        data = _decompress(data, key, where)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise RetryableError(f'unmarshaling object from key "{key}" in Secret {where}: {error}') from error
    if not isinstance(value, dict):
        raise RetryableError(f'unmarshaling object from key "{key}" in Secret {where}: expected a JSON object')
    return value


def phase_digest(name: str, objects: Iterable[Manifest]) -> str:
    """`sha256:<hex>` of a phase as it was given, before labels are added. Rule: revisions.md 1.2."""
    text = orjson.dumps({"name": name, "objects": list(objects)}, option=orjson.OPT_SORT_KEYS)
    return f"sha256:{hashlib.sha256(text).hexdigest()}"


def _encode(manifest: Manifest, phase: int, position: int) -> bytes:
    data = orjson.dumps(manifest, option=orjson.OPT_SORT_KEYS)
    if len(data) <= MAX_SECRET_BYTES:
        return data
    packed = gzip.compress(data, 9, mtime=0)
    if len(packed) > MAX_SECRET_BYTES:
        raise TerminalError(
            f"packing objects into Secrets: object in phase {phase} index {position} exceeds maximum Secret data size "
            f"({len(packed)} bytes > {MAX_SECRET_BYTES} bytes) even after compression"
        )
    return packed


def _decompress(data: bytes, key: str, where: str) -> bytes:
    if len(data) < _GZIP_HEADER_BYTES or data[2] != _DEFLATE:
        raise RetryableError(f'creating gzip reader for key "{key}" in Secret {where}: expected the header of gzip')
    stream = zlib.decompressobj(wbits=31)
    try:
        plain = b"".join(_bounded(stream, data))
    except zlib.error as error:
        raise RetryableError(f'decompressing key "{key}" in Secret {where}: {error}') from error
    if len(plain) > MAX_OBJECT_BYTES:
        raise RetryableError(
            f'decompressed data for key "{key}" in Secret {where} exceeds maximum size ({MAX_OBJECT_BYTES} bytes)'
        )
    return plain


def _bounded(stream: zlib._Decompress, data: bytes) -> Iterator[bytes]:
    yield stream.decompress(data, MAX_OBJECT_BYTES + 1)
    if not stream.eof and not stream.unconsumed_tail:
        raise zlib.error("unexpected end of data")


def _content_key(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _secret_name(revision_name: str, chunk: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for key in sorted(chunk):
        digest.update(key.encode())
        digest.update(chunk[key])
    return f"{revision_name}-{digest.hexdigest()[:16]}"
