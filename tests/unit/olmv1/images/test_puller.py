"""Pulling from a real registry on loopback: resolving, choosing, labels, and the whole way of a catalog."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import orjson
import pytest
from prometheus_client import CollectorRegistry

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.images.limits import Limits
from olmv1.images.platforms import Platform
from olmv1.images.puller import PulledImage, Puller
from olmv1.images.settings import ImageSettings
from tests.data import data_dir
from tests.oci_images import CONFIGS_LABEL, DOCKER, OCI, Image, MediaTypes, a_catalog_image, a_layer, an_image, an_index
from tests.registry import Fault, Registry
from tests.unit.olmv1.images.conftest import MakePuller

CATALOG = {"index.json": b'{"schema":"olm.package"}', "pkg/a.yaml": b"schema: a\n", ".indexignore": b"*.md\n"}
LABEL = {CONFIGS_LABEL: "/configs"}
NO_LABEL = f'error applying image: catalog image is missing the required label "{CONFIGS_LABEL}"'


async def catalog_of(puller: Puller, ref: str) -> Mapping[str, bytes]:
    found: dict[str, bytes] = {}
    await puller.pull_catalog(ref, on_file=found.__setitem__)
    return found


async def failure_of(puller: Puller, ref: str) -> OlmError:
    with pytest.raises(OlmError) as caught:
        await catalog_of(puller, ref)
    return caught.value


async def test_pull_catalog_delivers_every_file_below_the_label(registry: Registry, puller: Puller) -> None:
    ref = registry.push("team/catalog", "v1", a_catalog_image(CATALOG))
    found: dict[str, bytes] = {}
    pulled = await puller.pull_catalog(f"{registry.host}/team/catalog:v1", on_file=found.__setitem__)
    assert found == CATALOG
    assert replace(pulled, warnings=()) == PulledImage(
        canonical_ref=ref,
        digest=pulled.digest,
        configs_dir="configs",
        config_type=OCI.config,
        file_count=3,
        size_bytes=sum(len(data) for data in CATALOG.values()),
    )


async def test_resolve_asks_once_with_head(registry: Registry, puller: Puller) -> None:
    image = a_catalog_image(CATALOG)
    registry.push("team/catalog", "v1", image)
    assert await puller.resolve(f"{registry.host}/team/catalog:v1") == image.digest
    assert registry.asked() == ["HEAD /v2/team/catalog/manifests/v1"]


@pytest.mark.parametrize(
    "fault",
    [Fault("HEAD", status=405), Fault("HEAD", status=404), Fault("HEAD", without="Docker-Content-Digest")],
    ids=["not allowed", "not found", "no digest header"],
)
async def test_resolve_falls_back_to_get(registry: Registry, puller: Puller, fault: Fault) -> None:
    image = a_catalog_image(CATALOG)
    registry.push("team/catalog", "v1", image)
    registry.fail(fault)
    assert await puller.resolve(f"{registry.host}/team/catalog:v1") == image.digest
    assert registry.asked()[1:] == ["GET /v2/team/catalog/manifests/v1"]


async def test_resolve_of_a_digest_asks_nobody(puller: Puller) -> None:
    digest = f"sha256:{'0' * 64}"
    assert await puller.resolve(f"nowhere.invalid/cat@{digest}") == digest


async def test_confirm_asks_the_registry_about_a_digest_too(registry: Registry, puller: Puller) -> None:
    ref = registry.push("team/catalog", "v1", an_image([a_layer({"a": b"b"})]))
    digest = ref.rpartition("@")[2]
    assert await puller.confirm(ref) == digest
    assert registry.asked() == [f"HEAD /v2/team/catalog/manifests/{digest[:12]}"]
    with pytest.raises(RetryableError, match="404"):
        await puller.confirm(ref.replace(digest, f"sha256:{'0' * 64}"))


async def test_resolve_says_what_the_registry_said(registry: Registry, puller: Puller) -> None:
    with pytest.raises(RetryableError) as caught:
        await puller.resolve(f"{registry.host}/team/catalog:v2")
    assert str(caught.value) == (
        f"error creating image source: reading manifest v2 in {registry.host}/team/catalog: "
        "404 Not Found: manifest unknown"
    )


async def test_pull_catalog_uses_the_resolved_digest_without_asking_again(registry: Registry, puller: Puller) -> None:
    old = a_catalog_image({"old.json": b"{}"})
    registry.push("cat", "v1", old)
    ref = f"{registry.host}/cat:v1"
    digest = await puller.resolve(ref)
    registry.push("cat", "v1", a_catalog_image({"new.json": b"{}"}))
    found: dict[str, bytes] = {}
    pulled = await puller.pull_catalog(ref, on_file=found.__setitem__, resolved=digest)
    assert (found, pulled.digest) == ({"old.json": b"{}"}, old.digest)
    assert registry.asked().count("HEAD /v2/cat/manifests/v1") == 1


@pytest.mark.parametrize("types", [OCI, DOCKER], ids=["oci", "docker"])
async def test_pull_catalog_chooses_the_platform(
    registry: Registry, settings: ImageSettings, make_puller: MakePuller, types: MediaTypes
) -> None:
    images = {
        platform: an_image([a_layer({"configs/c.json": platform.encode()})], LABEL, types=types)
        for platform in ("linux/amd64", "linux/arm64/v8", "windows/amd64")
    }
    index = an_index(images, types=types)
    ref = registry.push("cat", "v1", index)
    async with make_puller(replace(settings, platform=Platform("linux", "arm64", "v8"))) as puller:
        found: dict[str, bytes] = {}
        pulled = await puller.pull_catalog(f"{registry.host}/cat:v1", on_file=found.__setitem__)
    assert found == {"c.json": b"linux/arm64/v8"}
    assert (pulled.canonical_ref, pulled.digest) == (ref, index.digest)


@pytest.mark.parametrize(
    ("image", "message"),
    [
        (an_image([a_layer({"configs/a": b""})]), NO_LABEL),
        (
            an_image([a_layer({"configs/a": b""})], config=b"[]"),
            "error copying image: {}: a JSON object was expected, found list",
        ),
        (
            an_index({"linux/s390x": an_image([])}),
            "error copying image: {}: no image for platform linux/amd64 in the image index (it has: linux/s390x)",
        ),
        (
            Image(b'{"schemaVersion":1}', "", {}),
            "error copying image: {}: unsupported manifest type 'without mediaType'",
        ),
    ],
    ids=["label", "config", "platform", "manifest"],
)
async def test_pull_catalog_blocks_a_digest_and_retries_a_tag(
    registry: Registry, puller: Puller, image: Image, message: str
) -> None:
    pinned = registry.push("cat", "v1", image)
    by_digest = await failure_of(puller, pinned)
    by_tag = await failure_of(puller, f"{registry.host}/cat:v1")
    assert (type(by_digest), str(by_digest)) == (TerminalError, message.format(pinned))
    assert (type(by_tag), str(by_tag)) == (RetryableError, message.format(pinned))


@pytest.mark.parametrize(
    ("label", "found"),
    [
        ("configs", {"a.json": b"1", "b/c.json": b"2"}),
        ("/configs/../configs//b/", {"c.json": b"2"}),
        ("/", {"configs/a.json": b"1", "configs/b/c.json": b"2", "other.txt": b"3"}),
        ("", {"configs/a.json": b"1", "configs/b/c.json": b"2", "other.txt": b"3"}),
        ("../../configs/b", {"c.json": b"2"}),
    ],
)
async def test_pull_catalog_cleans_the_label(
    registry: Registry, puller: Puller, label: str, found: dict[str, bytes]
) -> None:
    layer = a_layer({"configs/a.json": b"1", "configs/b/c.json": b"2", "other.txt": b"3"})
    ref = registry.push("cat", "v1", an_image([layer], {CONFIGS_LABEL: label}))
    assert await catalog_of(puller, ref) == found


@pytest.mark.parametrize(
    ("entries", "problem"),
    [({"other/a.json": b"1"}, "is not in the image"), ({"configs/.wh.a": b""}, "is not in the image")],
)
async def test_pull_catalog_refuses_a_directory_without_files(
    registry: Registry, puller: Puller, entries: dict[str, bytes], problem: str
) -> None:
    ref = registry.push("cat", "v1", an_image([a_layer(entries)], LABEL))
    failure = await failure_of(puller, ref)
    assert isinstance(failure, TerminalError)
    assert str(failure) == (
        f'error applying image: the directory "/configs" named by the label "{CONFIGS_LABEL}" {problem}: {ref}'
    )


async def test_pull_catalog_passes_errors_of_the_receiver_through(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", a_catalog_image(CATALOG))
    error = TerminalError("this file is no catalog")

    def receive(_name: str, _data: bytes) -> None:
        raise error

    with pytest.raises(TerminalError) as caught:
        await puller.pull_catalog(ref, on_file=receive)
    assert caught.value is error


async def test_pull_files_needs_no_label_and_tells_charts(registry: Registry, puller: Puller) -> None:
    image = an_image([a_layer({"manifests/csv.yaml": b"kind: x", "metadata/a.yaml": b"a: b"})])
    ref = registry.push("bundle", "v1", image)
    found: dict[str, bytes] = {}
    pulled = await puller.pull_files(ref, on_file=found.__setitem__)
    assert found == {"manifests/csv.yaml": b"kind: x", "metadata/a.yaml": b"a: b"}
    assert (pulled.config_type, pulled.configs_dir, pulled.file_count) == (OCI.config, "", 2)


async def test_pull_refuses_images_over_the_limits(registry: Registry, puller: Puller) -> None:
    ref = registry.push("bundle", "v1", an_image([a_layer({"a": b"1"}), a_layer({"b": b"2"})]))
    messages = []
    for limits in (Limits(layers=1), Limits(packed_bytes=10)):
        with pytest.raises(TerminalError) as caught:
            await puller.pull_files(ref, on_file=lambda _name, _data: None, limits=limits)
        messages.append(str(caught.value))
    packed = len(a_layer({"a": b"1"})) + len(a_layer({"b": b"2"}))
    assert messages == [
        f"error copying image: {ref} has 2 layers, the limit is 1",
        f"error copying image: the layers of {ref} have {packed} bytes, the limit is 10",
    ]


async def test_pull_refuses_a_manifest_that_is_too_large(registry: Registry, puller: Puller) -> None:
    ref = registry.push("bundle", "v1", Image(orjson.dumps({"x": "y" * 5_000_000}), OCI.manifest, {}))
    failure = await failure_of(puller, ref)
    digest = ref.partition("@")[2]
    assert str(failure) == (
        f"error copying image: reading manifest {digest} in {registry.host}/bundle: larger than 4194304 bytes"
    )


async def test_pull_warns_once_that_there_is_no_policy(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", a_catalog_image(CATALOG))
    pulls = [await puller.pull_catalog(ref, on_file=lambda _name, _data: None) for _ in range(2)]
    policy = puller.settings.policy[0]
    warning = f"there is no signature policy ({policy}): images are accepted without verification"
    assert [pulled.warnings for pulled in pulls] == [(warning,), ()]


async def test_pull_ends_at_its_deadline(registry: Registry, settings: ImageSettings, make_puller: MakePuller) -> None:
    ref = registry.push("cat", "v1", a_catalog_image(CATALOG))
    registry.fail(Fault("blobs", is_silent=True, times=9))
    async with make_puller(replace(settings, timing=replace(settings.timing, pull_s=0.2))) as puller:
        failure = await failure_of(puller, ref)
    assert (type(failure), str(failure)) == (RetryableError, f"error copying image: {ref} was not complete after 0.2 s")


async def test_configuration_stamp_changes_with_the_files(puller: Puller) -> None:
    before = await puller.configuration_stamp()
    assert await puller.configuration_stamp() == before
    puller.settings.registries_conf[0].write_text("")
    assert await puller.configuration_stamp() != before


async def test_pulls_are_counted(registry: Registry, settings: ImageSettings) -> None:
    metrics = CollectorRegistry()
    puller = Puller(settings, registry=metrics)
    image = a_catalog_image(CATALOG)
    ref = registry.push("cat", "v1", image)
    await puller.pull_catalog(ref, on_file=lambda _name, _data: None)
    await failure_of(puller, f"{registry.host}/cat:v2")
    await puller.close()
    labels = {"registry": registry.host, "code": "404"}
    assert metrics.get_sample_value("olm_image_requests_total", labels) == 2
    results = [
        metrics.get_sample_value("olm_image_pulls_total", {"kind": "catalog", "result": result})
        for result in ("success", "failure")
    ]
    layer = list(image.blobs.values())[1]
    assert (results, metrics.get_sample_value("olm_image_downloaded_bytes_total")) == ([1, 1], len(layer))


@pytest.mark.data
@pytest.mark.parametrize("compression", ["gzip", "zstd"])
async def test_a_real_catalog_arrives_as_it_was_packed(registry: Registry, puller: Puller, compression: str) -> None:
    root = data_dir("catalogs", "certified-v4.19")
    contents = {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}
    layer = a_layer({f"configs/{name}": data for name, data in contents.items()}, compression)
    ref = registry.push("cat", "v1", an_image([layer], LABEL))
    assert await catalog_of(puller, ref) == contents


async def test_a_pull_does_not_hold_up_the_loop(registry: Registry, puller: Puller) -> None:
    ref = registry.push("cat", "v1", a_catalog_image({str(n): os.urandom(4_000_000) for n in range(8)}))
    ticks: list[float] = []

    async def tick() -> None:
        while True:
            ticks.append(time.perf_counter())
            await asyncio.sleep(0.001)

    async with asyncio.TaskGroup() as group:
        ticking = group.create_task(tick())
        await puller.pull_catalog(ref, on_file=lambda _name, _data: None)
        ticking.cancel()
    waits = sorted(later - earlier for earlier, later in pairwise(ticks))
    assert waits[len(waits) * 9 // 10] < 0.05
