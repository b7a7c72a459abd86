"""Several places for one image: mirrors, blocked and insecure registries, on real servers."""

from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from olmv1.errors import RetryableError
from olmv1.images.credentials import Credential, Credentials
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from tests.oci_images import a_catalog_image, a_layer, an_image
from tests.registry import Fault, Login, Registry, running_registry
from tests.registry_tls import Authority
from tests.unit.olmv1.images.conftest import MakePuller

IMAGE = a_catalog_image({"a.json": b"{}"})
NAME = "registry.invalid/team/catalog"


def configure(settings: ImageSettings, text: str) -> None:
    settings.registries_conf[0].write_text(text)


def mirrored(*hosts: str, registry: str = "", mirror: str = "") -> str:
    mirrors = "".join(f'[[registry.mirror]]\nlocation = "{host}/mirror"\n{mirror}\n' for host in hosts)
    return f'[[registry]]\nprefix = "registry.invalid"\n{registry}\n{mirrors}'


async def files_of(puller: Puller, ref: str) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    await puller.pull_files(ref, on_file=found.__setitem__)
    return found


async def test_a_mirror_is_asked_instead_of_the_registry(registry: Registry, puller: Puller) -> None:
    registry.push("mirror/team/catalog", "v1", IMAGE)
    configure(puller.settings, mirrored(registry.host))
    assert await puller.resolve(f"{NAME}:v1") == IMAGE.digest
    assert await files_of(puller, f"{NAME}@{IMAGE.digest}") == {"configs/a.json": b"{}"}


async def test_a_changed_registries_file_counts_at_the_next_pull(registry: Registry, puller: Puller) -> None:
    registry.push("mirror/team/catalog", "v1", IMAGE)
    configure(puller.settings, mirrored(registry.host, registry="blocked = true"))
    with pytest.raises(RetryableError) as caught:
        await puller.resolve(f"{NAME}:v1")
    assert str(caught.value) == (
        f"error creating image source: registry registry.invalid is blocked in {puller.settings.registries_conf[0]}"
    )
    configure(puller.settings, mirrored(registry.host))
    assert await puller.resolve(f"{NAME}:v1") == IMAGE.digest


async def test_a_drop_in_file_replaces_the_table(registry: Registry, puller: Puller) -> None:
    registry.push("mirror/team/catalog", "v1", IMAGE)
    configure(puller.settings, mirrored(registry="blocked = true"))
    folder = puller.settings.registries_conf_dirs[0]
    folder.mkdir()
    (folder / "50-mirror.conf").write_text(mirrored(registry.host))
    assert await puller.resolve(f"{NAME}:v1") == IMAGE.digest


async def test_the_next_place_is_asked_when_a_mirror_lacks_the_image(
    registry: Registry, bearer_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    bearer_registry.push("mirror/team/catalog", "v1", IMAGE)
    configure(settings, mirrored(registry.host, bearer_registry.host))
    credentials = Credentials({bearer_registry.host: Credential("me", "secret")})
    async with make_puller(settings, credentials) as puller:
        found = await files_of(puller, f"{NAME}:v1")
    assert found == {"configs/a.json": b"{}"}
    assert [str(request) for request in registry.requests] == [
        "HEAD /v2/mirror/team/catalog/manifests/v1",
        "GET /v2/mirror/team/catalog/manifests/v1",
        f"GET /v2/mirror/team/catalog/manifests/{IMAGE.digest}",
    ]


async def test_a_failure_names_every_place_and_the_soonest_retry(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        dead = f"127.0.0.1:{reserved.getsockname()[1]}"
        configure(settings, mirrored(dead, registry.host))
        registry.fail(Fault("", times=99, status=429, headers={"Retry-After": "77"}))
        async with make_puller(settings) as puller:
            with pytest.raises(RetryableError) as caught:
                await puller.resolve(f"{NAME}:v1")
    assert caught.value.retry_after_s == 77.0
    assert str(caught.value) == (
        "error creating image source: pinging container registry registry.invalid: no such host "
        f"(mirrors also failed: pinging container registry {dead}: connection refused; "
        f"reading manifest v1 in {registry.host}/mirror/team/catalog: 429 Too Many Requests)"
    )


async def test_another_place_goes_on_in_the_middle_of_a_blob(
    registry: Registry, authority: Authority, settings: ImageSettings, make_puller: MakePuller
) -> None:
    image = an_image([a_layer({"a": b"1"}, "none") + bytes(2_000_000)])
    async with running_registry(authority.server_context()) as second:
        for place in (registry, second):
            place.push("mirror/team/catalog", "v1", image)
        registry.fail(Fault("blobs", cut_after=500_000))
        registry.fail(Fault("blobs", times=99, status=404))
        configure(settings, mirrored(registry.host, second.host))
        async with make_puller(settings) as puller:
            assert await files_of(puller, f"{NAME}:v1") == {"a": b"1"}
        asked = second.requests[-1]
    assert "blobs" in asked.path
    assert int(asked.headers["Range"].removeprefix("bytes=").removesuffix("-")) > 0


async def test_a_mirror_with_other_content_is_passed_over(
    registry: Registry, basic_registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    basic_registry.login = None
    for place in (registry, basic_registry):
        place.push("mirror/team/catalog", "v1", IMAGE)
    registry.fail(Fault("manifests", content=b'{"layers":[]}'))
    configure(settings, mirrored(registry.host, basic_registry.host))
    async with make_puller(settings) as puller:
        assert await files_of(puller, f"{NAME}@{IMAGE.digest}") == {"configs/a.json": b"{}"}
    assert (len(registry.requests), len(basic_registry.requests)) == (1, 2)


async def test_an_insecure_registry_is_asked_over_plain_http(settings: ImageSettings, make_puller: MakePuller) -> None:
    async with (
        running_registry(None, Login("bearer")) as plain,
        make_puller(settings, Credentials({plain.host: Credential("me", "secret")})) as puller,
    ):
        plain.push("cat", "v1", IMAGE)
        configure(settings, f'[[registry]]\nlocation = "{plain.host}"\ninsecure = true')
        for _ in range(2):
            assert await puller.resolve(f"{plain.host}/cat:v1") == IMAGE.digest
        assert plain.asked() == [
            "HEAD /v2/cat/manifests/v1",
            "GET /token",
            "HEAD /v2/cat/manifests/v1",
            "HEAD /v2/cat/manifests/v1",
        ]


async def test_an_insecure_registry_may_have_any_certificate(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller
) -> None:
    registry.push("cat", "v1", IMAGE)
    configure(settings, f'[[registry]]\nlocation = "{registry.host}"\ninsecure = true')
    async with make_puller(replace(settings, pull_cas_dir=None)) as puller:
        assert await puller.resolve(f"{registry.host}/cat:v1") == IMAGE.digest


async def test_an_insecure_registry_that_is_away_is_reported_as_such(puller: Puller) -> None:
    with socket.socket() as reserved:
        reserved.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{reserved.getsockname()[1]}"
        configure(puller.settings, f'[[registry]]\nlocation = "{host}"\ninsecure = true')
        with pytest.raises(RetryableError) as caught:
            await puller.resolve(f"{host}/cat:v1")
    expected = f"error creating image source: pinging container registry {host}: connection refused"
    assert str(caught.value) == expected


@pytest.mark.parametrize("part", ["layer", "config", "manifest"])
async def test_content_that_does_not_fit_its_digest_is_refused(registry: Registry, puller: Puller, part: str) -> None:
    image = a_catalog_image({"a.json": b"{}"})
    ref = registry.push("cat", "v1", image)
    config, layer = image.blobs
    wanted = {"layer": layer, "config": config, "manifest": image.digest}[part]
    registry.fail(Fault(wanted, content=b"x" * len(image.blobs.get(wanted, b"x"))))
    with pytest.raises(RetryableError) as caught:
        await puller.pull_catalog(ref, on_file=lambda _name, _data: None)
    assert str(caught.value).startswith("error copying image: ")
    assert f"{wanted}" in str(caught.value)
    assert "the registry sent other content (sha256:" in str(caught.value)


@pytest.mark.parametrize("extra", [-1, 1])
async def test_a_blob_of_another_size_is_refused(registry: Registry, puller: Puller, extra: int) -> None:
    layer = a_layer({"a": b"1"})
    ref = registry.push("cat", "v1", an_image([layer]))
    content = layer + b"x" if extra > 0 else layer[:-1]
    registry.fail(Fault("blobs", times=99, content=content))
    with pytest.raises(RetryableError) as caught:
        await files_of(puller, ref)
    digest = registry.requests[-1].path.rpartition("/")[2]
    size = len(layer)
    problem = (
        f"more than the {size} bytes of its manifest" if extra > 0 else f"the content ended before its {size} bytes"
    )
    assert str(caught.value) == f"error copying image: reading blob {digest} in {registry.host}/cat: {problem}"
