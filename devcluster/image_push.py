"""Pushing images to a registry over HTTP.

Used by `registry` and tests.
"""

from __future__ import annotations

import http.client
import ssl
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from devcluster.errors import DevClusterError
from devcluster.images import Image, ImageIndex, digest_of

__all__ = ["RegistryAddress", "push"]


@dataclass(frozen=True, slots=True)
class RegistryAddress:
    """`host` is `name:port`; `authority_file` the certificate to trust, `None` for plain HTTP."""

    host: str
    authority_file: Path | None = None


def push(registry: RegistryAddress, name: str, image: Image | ImageIndex) -> str:
    """Push an image (or all images of an index, and the index) as `name` (`repo:tag`); returns `host/repo@sha256:…`.

    Raises: DevClusterError when the registry refuses or does not answer.
    """
    repository, _, tag = name.partition(":")
    connection = _connect(registry)
    try:
        for part in image.images if isinstance(image, ImageIndex) else (image,):
            for blob in part.blobs:
                _push_blob(connection, repository, blob)
            _put_manifest(connection, repository, part.digest, part)
        _put_manifest(connection, repository, tag or "latest", image)
    except (OSError, http.client.HTTPException) as failure:
        raise DevClusterError(f"cannot push {name} to {registry.host}: {failure}") from failure
    finally:
        connection.close()
    return f"{registry.host}/{repository}@{image.digest}"


def _connect(registry: RegistryAddress) -> http.client.HTTPConnection:
    if registry.authority_file is None:
        return http.client.HTTPConnection(registry.host, timeout=30)
    context = ssl.create_default_context(cafile=str(registry.authority_file))
    return http.client.HTTPSConnection(registry.host, timeout=30, context=context)


def _push_blob(connection: http.client.HTTPConnection, repository: str, blob: bytes) -> None:
    digest = digest_of(blob)
    path = f"/v2/{repository}/blobs/{digest}"
    if _request(connection, "HEAD", path).status == 200:
        return
    upload = _request(connection, "POST", f"/v2/{repository}/blobs/uploads/")
    _require(upload, {202}, f"begin an upload to {repository}")
    location = urllib.parse.urlsplit(upload.headers["Location"])
    query = "&".join(filter(None, [location.query, urllib.parse.urlencode({"digest": digest})]))
    done = _request(connection, "PUT", f"{location.path}?{query}", blob, {"Content-Type": "application/octet-stream"})
    _require(done, {201}, f"upload {digest} to {repository}")


def _put_manifest(
    connection: http.client.HTTPConnection, repository: str, reference: str, image: Image | ImageIndex
) -> None:
    path = f"/v2/{repository}/manifests/{reference}"
    done = _request(connection, "PUT", path, image.manifest, {"Content-Type": image.media_type})
    _require(done, {201}, f"put the manifest {repository}:{reference}")


def _request(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> http.client.HTTPResponse:
    connection.request(method, path, body=body, headers=dict(headers or {}))
    response = connection.getresponse()
    response.read()  # the connection carries the next request
    return response


def _require(response: http.client.HTTPResponse, expected: set[int], doing: str) -> None:
    if response.status not in expected:
        raise DevClusterError(f"cannot {doing}: the registry answered {response.status} {response.reason}")
