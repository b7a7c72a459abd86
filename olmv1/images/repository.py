"""One repository at one registry: its tags, manifests and blobs.

Shell. Speaks the distribution protocol through `Transport`, with the authorization that the registry asks for.
Everything read is bounded; what is asked for by digest is verified here (manifests) or by the reader (blobs).
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass

import aiohttp
from yarl import URL

from olmv1.images.challenges import parse_challenges
from olmv1.images.credentials import Credential
from olmv1.images.digests import Digest, digest_of
from olmv1.images.failures import CUT_ERRORS, RegistryError, TransientError, failure_of, status_failure
from olmv1.images.image_manifests import ACCEPTED, Descriptor
from olmv1.images.registries_conf import Endpoint
from olmv1.images.tokens import Asker, Tokens
from olmv1.images.transport import Call, Transport, read_bounded

__all__ = ["RawManifest", "Repository"]

_HUB_HOSTS = {"docker.io": "registry-1.docker.io"}
_ERROR_BODY_BYTES = 4096


@dataclass(frozen=True, slots=True)
class RawManifest:
    """A manifest or index as a registry sent it, with the type it claimed and the digest of its bytes."""

    data: bytes
    content_type: str
    digest: Digest


class Repository:
    """A repository at `endpoint`, asked as `credential` (`None`: anonymously)."""

    def __init__(self, endpoint: Endpoint, credential: Credential | None, transport: Transport, tokens: Tokens) -> None:
        self.endpoint = endpoint
        self._credential = credential
        self._transport = transport
        self._tokens = tokens
        self._authorization = ""
        self._scheme = "https"

    def __str__(self) -> str:
        return str(self.endpoint)

    async def resolve(self, tag: str, limit_bytes: int) -> Digest:
        """The digest that `tag` means now: of the index for an image with several platforms.

        Asks with HEAD; where a registry does not answer that with a digest, the manifest itself is fetched.

        Raises:
            RegistryError: the tag cannot be read.
        """
        response = await self._get("HEAD", f"manifests/{tag}", {"Accept": ACCEPTED})
        response.release()
        if response.status == 200:
            try:
                return Digest.parse(response.headers.get("Docker-Content-Digest", ""))
            except ValueError:
                pass
        # Also for an error: only the answer to GET has a body that explains it.
        return (await self.manifest(tag, limit_bytes)).digest

    async def manifest(self, selector: str, limit_bytes: int) -> RawManifest:
        """The manifest or index that `selector` (a tag, or a `Digest`) names.

        Raises:
            RegistryError: it cannot be read, is larger than `limit_bytes`, or is not what the digest names.
        """
        path = f"manifests/{selector}"
        response = await self._get("GET", path, {"Accept": ACCEPTED})
        what = self._reading(path)
        data = await self._body(response, what, limit_bytes)
        if isinstance(selector, Digest) and not selector.fits(data):
            raise RegistryError(f"{what}: the registry sent other content ({digest_of(data)})")
        digest = selector if isinstance(selector, Digest) else digest_of(data)
        return RawManifest(data, response.headers.get("Content-Type", ""), digest)

    async def small_blob(self, descriptor: Descriptor, limit_bytes: int) -> bytes:
        """The verified content of a blob that is kept in memory, for example an image configuration.

        Raises:
            RegistryError: it cannot be read, is larger than `limit_bytes`, or is not what the digest names.
        """
        path = f"blobs/{descriptor.digest}"
        response = await self._get("GET", path, {})
        what = self._reading(path)
        data = await self._body(response, what, limit_bytes)
        if not descriptor.digest.fits(data):
            raise RegistryError(f"{what}: the registry sent other content ({digest_of(data)})")
        return data

    async def blob(self, descriptor: Descriptor, offset: int, resumes: int) -> AsyncGenerator[bytes, None]:
        """The bytes of a blob from `offset` on, unverified; a cut connection is continued where it ended.

        Raises:
            RegistryError: it cannot be opened, sends more than its size, or is cut again without any progress.
        """
        while True:
            start = offset
            try:
                async with aclosing(self._stream(descriptor, start)) as chunks:
                    async for chunk in chunks:
                        offset += len(chunk)
                        yield chunk
                return
            except TransientError:
                resumes -= 1
                if offset == start or resumes < 0:
                    raise

    async def _stream(self, descriptor: Descriptor, start: int) -> AsyncGenerator[bytes, None]:
        """One answer's worth of a blob from `start` on; `TransientError` when it ends early."""
        path = f"blobs/{descriptor.digest}"
        what = self._reading(path)
        response = await self._get("GET", path, {"Range": f"bytes={start}-"} if start else {})
        try:
            await _require_ok(response, what)
            # A registry without ranges begins anew: what is known already is passed over.
            skip = 0 if start and response.status == 206 else start
            if response.status == 206 and not _starts_at(response, start):
                raise RegistryError(f"{what}: the registry sent another range than asked for")
            left = descriptor.size_bytes - start
            async for received in response.content.iter_any():
                chunk, skip = received[skip:], max(skip - len(received), 0)
                left -= len(chunk)
                if left < 0:
                    raise RegistryError(f"{what}: more than the {descriptor.size_bytes} bytes of its manifest")
                if chunk:
                    yield chunk
            if left:
                raise TransientError(f"{what}: the content ended before its {descriptor.size_bytes} bytes")
        except CUT_ERRORS as error:
            raise failure_of(what, error) from error
        finally:
            response.close()

    async def _body(self, response: aiohttp.ClientResponse, what: str, limit_bytes: int) -> bytes:
        await _require_ok(response, what)
        data = await read_bounded(response, limit_bytes, what)
        if data is None:
            raise RegistryError(f"{what}: larger than {limit_bytes} bytes")
        return data

    async def _get(self, method: str, path: str, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        """The answer to a request in this repository; an insecure one falls back to plain HTTP."""
        try:
            return await self._authorized(method, path, headers)
        except RegistryError as failure:
            if failure.status or not self.endpoint.is_insecure or self._scheme == "http":
                raise
            self._scheme = "http"
            try:
                return await self._authorized(method, path, headers)
            except RegistryError as second:
                # Nothing answers on either: what TLS said is what an operator has to know.
                self._scheme = "https"
                raise (second if second.status else failure) from second

    async def _authorized(self, method: str, path: str, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        response = await self._send(method, path, headers)
        if response.status != 401:
            return response
        challenges = parse_challenges(response.headers.getall("WWW-Authenticate", []))
        response.release()
        asker = Asker(
            f"pinging container registry {self.endpoint.domain}",
            f"repository:{self.endpoint.repository}:pull",
            self._credential,
            self.endpoint.is_insecure,
            refused=self._authorization,
        )
        self._authorization = await self._tokens.authorization(challenges, asker)
        return await self._send(method, path, headers)

    async def _send(self, method: str, path: str, headers: Mapping[str, str]) -> aiohttp.ClientResponse:
        domain = self.endpoint.domain
        authorization = {"Authorization": self._authorization} if self._authorization else {}
        call = Call(
            method,
            URL(
                f"{self._scheme}://{_HUB_HOSTS.get(domain, domain)}/v2/{self.endpoint.repository}/{path}", encoded=True
            ),
            where=self._reading(path),
            peer=f"pinging container registry {domain}",
            trust_name=domain,
            headers={**headers, **authorization},
            is_insecure=self.endpoint.is_insecure,
        )
        return await self._transport.send(call)

    def _reading(self, path: str) -> str:
        """`manifests/v1` → `reading manifest v1 in registry.example/team/catalog`."""
        kind, _, name = path.partition("/")
        return f"reading {kind.removesuffix('s')} {name} in {self}"


async def _require_ok(response: aiohttp.ClientResponse, what: str) -> None:
    """Refuse every answer without content, in the registry's own words."""
    if response.status not in {200, 206}:
        body = await read_bounded(response, _ERROR_BODY_BYTES, what)
        raise status_failure(what, response.status, body or b"")


def _starts_at(response: aiohttp.ClientResponse, start: int) -> bool:
    return response.headers.get("Content-Range", "").startswith(f"bytes {start}-")
