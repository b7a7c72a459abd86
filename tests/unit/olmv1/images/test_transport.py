"""Faults of the network and how a pull gets over them, or says why not."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest
from yarl import URL

from olmv1.errors import RetryableError
from olmv1.images.failures import RegistryError
from olmv1.images.proxies import Proxies
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from olmv1.images.transport import Call
from tests.oci_images import a_catalog_image, a_layer, an_image
from tests.registry import Fault, Registry, running_registry
from tests.registry_tls import Authority
from tests.unit.olmv1.images.conftest import MakePuller

IMAGE = a_catalog_image({"a.json": b"{}"})


async def failure_of(puller: Puller, ref: str) -> RetryableError:
    with pytest.raises(RetryableError) as caught:
        await puller.resolve(ref)
    return caught.value


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504])
async def test_a_passing_fault_is_retried(registry: Registry, puller: Puller, status: int) -> None:
    registry.push("cat", "v1", IMAGE)
    registry.fail(Fault("HEAD", times=2, status=status))
    assert await puller.resolve(f"{registry.host}/cat:v1") == IMAGE.digest
    assert len(registry.requests) == 3


async def test_a_lasting_fault_is_reported_after_four_tries(registry: Registry, puller: Puller) -> None:
    registry.fail(Fault("", times=99, status=503))
    failure = await failure_of(puller, f"{registry.host}/cat:v1")
    assert str(failure) == (
        f"error creating image source: reading manifest v1 in {registry.host}/cat: 503 Service Unavailable"
    )
    assert (len(registry.requests), failure.retry_after_s) == (4, None)


async def test_a_short_retry_after_is_waited_for(registry: Registry, puller: Puller) -> None:
    registry.push("cat", "v1", IMAGE)
    registry.fail(Fault("HEAD", status=429, headers={"Retry-After": "0"}))
    assert await puller.resolve(f"{registry.host}/cat:v1") == IMAGE.digest


async def test_a_long_retry_after_is_handed_to_the_caller(registry: Registry, puller: Puller) -> None:
    registry.fail(Fault("", times=99, status=429, headers={"Retry-After": "120"}))
    failure = await failure_of(puller, f"{registry.host}/cat:v1")
    assert (failure.retry_after_s, len(registry.requests)) == (120.0, 1)
    assert str(failure).endswith(f"reading manifest v1 in {registry.host}/cat: 429 Too Many Requests")


async def test_a_refused_connection_names_the_registry(puller: Puller) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{reserved.getsockname()[1]}"
        failure = await failure_of(puller, f"{host}/cat:v1")
    assert str(failure) == (f"error creating image source: pinging container registry {host}: connection refused")


async def test_an_unknown_host_is_named(puller: Puller) -> None:
    failure = await failure_of(puller, "registry.invalid/cat:v1")
    assert str(failure) == ("error creating image source: pinging container registry registry.invalid: no such host")


async def test_an_untrusted_certificate_is_named_and_not_retried(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    async with make_puller(replace(settings, pull_cas_dir=None)) as puller:
        failure = await failure_of(puller, f"{registry.host}/cat:v1")
    assert str(failure) == (
        f"error creating image source: pinging container registry {registry.host}: "
        "its certificate is not trusted: unable to get local issuer certificate"
    )


async def test_a_server_without_tls_is_named(puller: Puller) -> None:
    async with running_registry(None) as plain:
        failure = await failure_of(puller, f"{plain.host}/cat:v1")
    assert str(failure) == (
        f"error creating image source: pinging container registry {plain.host}: "
        "TLS handshake failed: the server does not speak TLS"
    )


async def test_a_silent_registry_times_out(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    registry.fail(Fault("", times=99, is_silent=True))
    timing = replace(settings.timing, read_s=0.05, retry_attempts=2)
    async with make_puller(replace(settings, timing=timing)) as puller:
        failure = await failure_of(puller, f"{registry.host}/cat:v1")
    assert str(failure) == f"error creating image source: pinging container registry {registry.host}: timed out"
    assert len(registry.requests) == 2


async def test_a_redirect_loop_ends(registry: Registry, puller: Puller) -> None:
    registry.fail(Fault("", times=99, redirect="/v2/cat/manifests/v1"))
    failure = await failure_of(puller, f"{registry.host}/cat:v1")
    assert str(failure).endswith(f"{registry.host}/cat: more than 10 redirects")


@pytest.mark.parametrize(
    ("location", "problem"),
    [
        ("http://plain.example/x", "redirected from https to http://plain.example, which is refused"),
        ("ftp://plain.example/x", "redirected to something that is not HTTP"),
        ("https://plain.example:port/x", "redirected to something that is not HTTP"),
    ],
)
def test_a_redirect_may_not_lose_protection(location: str, problem: str) -> None:
    call = Call("GET", URL("https://registry.example/v2/"), "here", "there", "registry.example")
    with pytest.raises(RegistryError, match=f"^here: {problem}$"):
        call.redirected(location)


def test_a_redirect_keeps_the_authorization_at_the_same_origin_only() -> None:
    headers = {"authorization": "Bearer x", "Range": "bytes=1-"}
    call = Call("GET", URL("https://registry.example/v2/a"), "here", "there", "registry.example", headers)
    same = call.redirected("/v2/b?sig=a%2Fb")
    other = call.redirected("https://cdn.example:8443/b?sig=a%2Fb")
    assert (str(same.url), same.headers) == ("https://registry.example/v2/b?sig=a%2Fb", headers)
    assert (str(other.url), other.trust_name) == ("https://cdn.example:8443/b?sig=a%2Fb", "cdn.example:8443")
    assert other.headers == {"Range": "bytes=1-"}


async def test_a_proxy_is_asked_for_what_it_covers(settings: ImageSettings, make_puller: MakePuller) -> None:
    asked: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        proxies = Proxies(https=f"http://me:secret@127.0.0.1:{port}")
        async with make_puller(replace(settings, proxies=proxies)) as puller:
            failure = await failure_of(puller, "registry.example/cat:v1")
    assert asked == [b"CONNECT registry.example:443 HTTP/1.1\r\n"]
    assert str(failure) == (
        "error creating image source: pinging container registry registry.example: the proxy answered 403 Forbidden"
    )


async def test_a_client_certificate_is_shown_to_its_registry(
    authority: Authority, settings: ImageSettings, make_puller: MakePuller
) -> None:
    async with running_registry(authority.server_context(asks_client=True)) as registry:
        registry.push("cat", "v1", IMAGE)
        folder = settings.certs_dirs[0] / registry.host
        folder.mkdir(parents=True)
        certificate, key = authority.issue("client.test")
        (folder / "client.cert").write_bytes(certificate.read_bytes())
        (folder / "client.key").write_bytes(key.read_bytes())
        async with make_puller(settings) as puller:
            assert await puller.resolve(f"{registry.host}/cat:v1") == IMAGE.digest


@pytest.mark.parametrize("size", [3_000_000])
async def test_a_cut_download_goes_on_where_it_ended(registry: Registry, puller: Puller, size: int) -> None:
    layer = a_layer({"a": b"x" * 7}, "none") + bytes(size)
    ref = registry.push("b", "v1", an_image([layer]))
    registry.fail(Fault("blobs", times=3, cut_after=500_000))
    pulled = await puller.pull_files(ref, on_file=lambda _name, _data: None)
    ranges = [request.headers.get("Range") for request in registry.requests if "blobs" in request.path]
    assert (pulled.size_bytes, ranges[0], len(ranges)) == (7, None, 4)
    assert all(int(str(text).removeprefix("bytes=").removesuffix("-")) > 0 for text in ranges[1:])


async def test_a_cut_download_begins_anew_when_ranges_are_not_known(registry: Registry, puller: Puller) -> None:
    layer = a_layer({"a": b"x" * 7}, "none") + bytes(3_000_000)
    ref = registry.push("b", "v1", an_image([layer]))
    registry.fail(Fault("blobs", cut_after=1_000_000))
    registry.fail(Fault("blobs", without="Range"))
    pulled = await puller.pull_files(ref, on_file=lambda _name, _data: None)
    assert pulled.file_count == 1


async def test_a_download_that_never_gets_further_fails(registry: Registry, puller: Puller) -> None:
    ref = registry.push("b", "v1", an_image([a_layer({"a": b"1"})]))
    registry.fail(Fault("blobs", times=99, cut_after=0))
    with pytest.raises(RetryableError) as caught:
        await puller.pull_files(ref, on_file=lambda _name, _data: None)
    layer = registry.requests[-1].path.rpartition("/")[2]
    assert str(caught.value) == (
        f"error copying image: reading blob {layer} in {registry.host}/b: the connection was cut"
    )
