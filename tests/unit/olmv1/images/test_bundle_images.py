"""The bundle cache: no network for what is there, one pull for many callers, size, restart, damage."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from olmv1.errors import RetryableError, TerminalError
from olmv1.images.bundle_images import BundleImages
from olmv1.images.puller import Puller
from olmv1.images.settings import ImageSettings
from tests.oci_images import OCI, Image, a_layer, an_image
from tests.registry import Fault, Registry

FILES = {"manifests/csv.yaml": b"kind: x", "metadata/annotations.yaml": b"a: b", "same": b"a: b"}


def a_bundle(number: int, size: int = 0) -> Image:
    return an_image([a_layer({**FILES, "number": str(number).encode(), "filler": os.urandom(size)})])


@pytest.fixture
async def cache(puller: Puller, tmp_path: Path) -> BundleImages:
    return BundleImages(tmp_path / "bundles", puller, 1_000_000)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_unpack_gives_every_file(registry: Registry, cache: BundleImages) -> None:
    image = a_bundle(1)
    ref = registry.push("bundle", "v1", image)
    found = await cache.unpack(f"{registry.host}/bundle:v1")
    assert found.files() == {**FILES, "number": b"1", "filler": b""}
    assert (found.digest_ref, found.digest, found.config_type) == (ref, image.digest, OCI.config)


async def test_unpack_of_a_cached_digest_needs_no_network(registry: Registry, cache: BundleImages) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    first = await cache.unpack(ref)
    registry.requests.clear()
    again = await cache.unpack(ref)
    assert (again.files(), registry.requests, again.warnings) == (first.files(), [], ())


async def test_unpack_of_a_tag_asks_for_its_digest_every_time(registry: Registry, cache: BundleImages) -> None:
    for number in (1, 2):
        registry.push("bundle", "v1", a_bundle(number))
        found = await cache.unpack(f"{registry.host}/bundle:v1")
        assert found.files()["number"] == str(number).encode()
    registry.requests.clear()
    await cache.unpack(f"{registry.host}/bundle:v1")
    assert registry.asked() == ["HEAD /v2/bundle/manifests/v1"]


async def test_unpack_survives_a_restart(
    registry: Registry, cache: BundleImages, puller: Puller, tmp_path: Path
) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    path = (await cache.unpack(ref)).path
    (tmp_path / "bundles" / "tmp-crashed").mkdir()
    (tmp_path / "bundles" / "sha256-half").mkdir()
    registry.requests.clear()
    found = await BundleImages(tmp_path / "bundles", puller, 1_000_000).unpack(ref)
    assert (found.files()["number"], registry.requests) == (b"1", [])
    assert names_in(tmp_path / "bundles") == [path.name]


async def test_unpack_pulls_once_for_many_callers(registry: Registry, cache: BundleImages) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    found = await asyncio.gather(*(cache.unpack(ref) for _ in range(10)))
    assert len({image.path for image in found}) == 1
    assert len([asked for asked in registry.asked() if "manifests" in asked]) == 1


async def test_unpack_gives_its_failure_to_all_callers_and_forgets_it(registry: Registry, cache: BundleImages) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    registry.fail(Fault("blobs", status=404))
    results = await asyncio.gather(*(cache.unpack(ref) for _ in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [RetryableError] * 3
    assert (await cache.unpack(ref)).files()["number"] == b"1"


async def test_unpack_goes_on_for_others_when_one_caller_is_cancelled(registry: Registry, cache: BundleImages) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    registry.fail(Fault("blobs", is_silent=True))
    first, second = (asyncio.ensure_future(cache.unpack(ref)) for _ in range(2))
    async with asyncio.timeout(10):
        while not any("blobs" in asked for asked in registry.asked()):
            await asyncio.wait([first], timeout=0.02)
    first.cancel()
    assert (await second).files()["number"] == b"1"
    assert first.cancelled()


async def test_unpack_keeps_the_cache_within_its_size(registry: Registry, puller: Puller, tmp_path: Path) -> None:
    cache = BundleImages(tmp_path / "bundles", puller, 2500)
    refs = [registry.push("bundle", f"v{number}", a_bundle(number, 1000)) for number in range(3)]
    paths = []
    for second, ref in enumerate(refs[:2]):
        paths.append((await cache.unpack(ref)).path)
        os.utime(paths[-1] / "image.json", (second, second))
    await cache.unpack(refs[0])
    newest = (await cache.unpack(refs[2])).path
    assert names_in(tmp_path / "bundles") == sorted([paths[0].name, newest.name])


async def test_unpack_keeps_the_newest_image_even_when_it_is_too_large(
    registry: Registry, puller: Puller, tmp_path: Path
) -> None:
    cache = BundleImages(tmp_path / "bundles", puller, 10)
    found = await cache.unpack(registry.push("bundle", "v1", a_bundle(1, 1000)))
    assert len(found.files()["filler"]) == 1000


@pytest.mark.parametrize("damage", ["changed", "removed"])
async def test_a_damaged_entry_is_dropped_and_pulled_again(
    registry: Registry, cache: BundleImages, damage: str
) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    found = await cache.unpack(ref)
    victim = found.path / found.contents["number"]
    victim.write_bytes(b"evil") if damage == "changed" else victim.unlink()
    with pytest.raises(RetryableError) as caught:
        found.files()
    assert str(caught.value) == f"the cached copy of {ref} is damaged (number) and was dropped"
    assert (await cache.unpack(ref)).files()["number"] == b"1"


async def test_an_entry_without_all_its_files_is_pulled_again(registry: Registry, cache: BundleImages) -> None:
    ref = registry.push("bundle", "v1", a_bundle(1))
    found = await cache.unpack(ref)
    (found.path / found.contents["number"]).unlink()
    assert (await cache.unpack(ref)).files()["number"] == b"1"


async def test_a_hostile_bundle_leaves_nothing_behind(registry: Registry, cache: BundleImages, tmp_path: Path) -> None:
    layer = a_layer({"manifests/a": b"1", "../../escaped": b"2"})
    ref = registry.push("bundle", "v1", an_image([layer]))
    with pytest.raises(TerminalError) as caught:
        await cache.unpack(ref)
    digest = registry.requests[-1].path.rpartition("/")[2]
    assert str(caught.value) == (
        f"error applying image: error applying layer[0] ({digest}) of {ref}: "
        'entry "../../escaped": the name has a part ".."'
    )
    assert names_in(tmp_path / "bundles") == []


async def test_file_names_never_come_from_the_image(registry: Registry, cache: BundleImages) -> None:
    found = await cache.unpack(registry.push("bundle", "v1", a_bundle(1)))
    assert names_in(found.path) == sorted({"image.json", *found.contents.values()})


async def test_a_disk_that_refuses_is_a_retryable_error(
    registry: Registry, puller: Puller, settings: ImageSettings, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("not a folder")
    ref = registry.push("bundle", "v1", a_bundle(1))
    with pytest.raises(RetryableError) as caught:
        await BundleImages(tmp_path / "file" / "bundles", puller, 1000).unpack(ref)
    assert str(caught.value) == f"the image cache {tmp_path}/file/bundles cannot be written: Not a directory"
