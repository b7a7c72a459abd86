"""Catalog images from a real registry over TLS into a real store."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from catalogd.store import Store
from catalogd.unpack import Unpacker
from olmv1.errors import RetryableError, TerminalError
from olmv1.fbc.blobs import blobs_of_file
from olmv1.fbc.walk import catalog_files
from tests.contents import LEDGER, lines_of
from tests.data import data_dir
from tests.oci_images import CONFIGS_LABEL, a_catalog_image, a_layer, an_image
from tests.registry import Fault, Registry


def served(store: Store, name: str = "team") -> bytes:
    snapshot = store.snapshot(name)
    assert snapshot is not None
    return snapshot.data.read(0, snapshot.data.size_bytes)


async def test_unpack_serves_the_catalog_of_an_image(registry: Registry, unpacker: Unpacker, store: Store) -> None:
    ref = registry.push(
        "team/catalog", "v1", a_catalog_image({"ledger/catalog.yaml": LEDGER, "README.md": b"# [hello"})
    )
    unpacked = await unpacker.unpack("team", ref, "source:v1")
    assert served(store) == b"".join(lines_of(LEDGER))
    manifest = unpacked.snapshot.manifest
    assert (manifest.ref, manifest.source_ref, manifest.unpacked_at_s) == (ref, "source:v1", 1795253058)
    assert (manifest.packages, manifest.bundles, manifest.blobs) == (1, 1, 4)


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"a.yaml": LEDGER, "b.yaml": b"[1"}, "error walking FBC root: b.yaml"),
        (
            {"a.yaml": LEDGER, "b.yaml": b"name: 1"},
            'error walking FBC root: b.yaml, document 1: expected value for key "name"',
        ),
        ({"a.yaml": b"schema: custom"}, "the catalog holds no package: 1 blob, none of schema olm.package"),
        ({"README.md": b"hello"}, "the catalog holds no package: 0 blobs, none of schema olm.package"),
    ],
)
async def test_unpack_is_blocked_by_content_that_cannot_be_served(
    registry: Registry, unpacker: Unpacker, store: Store, files: dict[str, bytes], why: str
) -> None:
    good = registry.push("team/catalog", "v1", a_catalog_image({"a.yaml": LEDGER}))
    await unpacker.unpack("team", good, "source:v1")
    bad = registry.push("team/catalog", "v2", a_catalog_image(files))
    with pytest.raises(TerminalError) as caught:
        await unpacker.unpack("team", bad, "source:v2")
    assert str(caught.value).startswith(f"error storing fbc: {why}")
    assert served(store) == b"".join(lines_of(LEDGER))


async def test_unpack_does_not_replace_content_when_it_is_not_wanted_any_more(
    registry: Registry, unpacker: Unpacker, store: Store
) -> None:
    ref = registry.push("team/catalog", "v1", a_catalog_image({"a.yaml": LEDGER}))
    with pytest.raises(RetryableError, match="is not wanted any more"):
        await unpacker.unpack("team", ref, "source:v1", is_wanted=lambda: False)
    assert store.snapshot("team") is None


async def test_unpack_is_blocked_by_an_image_without_the_label(registry: Registry, unpacker: Unpacker) -> None:
    ref = registry.push("team/catalog", "v1", an_image([a_layer({"configs/a.yaml": LEDGER})]))
    with pytest.raises(TerminalError) as caught:
        await unpacker.unpack("team", ref, "source:v1")
    assert str(caught.value) == (
        f'source catalog content: error applying image: catalog image is missing the required label "{CONFIGS_LABEL}"'
    )


async def test_unpack_is_blocked_by_a_label_that_leads_nowhere(registry: Registry, unpacker: Unpacker) -> None:
    ref = registry.push(
        "team/catalog", "v1", an_image([a_layer({"other/a.yaml": LEDGER})], {CONFIGS_LABEL: "/configs"})
    )
    with pytest.raises(TerminalError) as caught:
        await unpacker.unpack("team", ref, "source:v1")
    assert str(caught.value).startswith(
        'source catalog content: error applying image: the directory "/configs" named by'
    )


async def test_unpack_can_be_tried_again_after_a_failure_of_the_registry(
    registry: Registry, unpacker: Unpacker, store: Store
) -> None:
    ref = registry.push("team/catalog", "v1", a_catalog_image({"a.yaml": LEDGER}))
    registry.fail(Fault("GET .*/manifests/", status=503))
    with pytest.raises(RetryableError) as caught:
        await unpacker.unpack("team", ref, "source:v1")
    assert str(caught.value).startswith("source catalog content: error copying image: ")
    await unpacker.unpack("team", ref, "source:v1")
    assert served(store) == b"".join(lines_of(LEDGER))


async def test_unpack_names_the_volume_that_cannot_be_written(
    registry: Registry, unpacker: Unpacker, tmp_path: Path
) -> None:
    ref = registry.push("team/catalog", "v1", a_catalog_image({"a.yaml": LEDGER}))
    (tmp_path / "cache" / "catalogs").rmdir()
    (tmp_path / "cache" / "catalogs").write_text("in the way")
    with pytest.raises(RetryableError) as caught:
        await unpacker.unpack("team", ref, "source:v1")
    folder = tmp_path / "cache" / "catalogs" / "team"
    assert str(caught.value) == (
        f'error storing fbc: cannot store content of catalog "team" in "{folder}": Not a directory'
    )


@pytest.mark.data
async def test_unpack_serves_a_real_catalog_whole_in_walk_order_with_flat_memory(
    registry: Registry, unpacker: Unpacker, store: Store
) -> None:
    root = data_dir("catalogs", "certified-v4.19")
    files = {str(path.relative_to(root)): path.read_bytes() for path in catalog_files(root)}
    ref = registry.push("team/catalog", "v1", a_catalog_image(files))
    wanted = b"".join(blob.json + b"\n" for path, data in files.items() for blob in blobs_of_file(data, path))
    tracemalloc.start()
    await unpacker.unpack("team", ref, "source:v1")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert served(store) == wanted
    largest = max(map(len, files.values()))
    assert peak < 40 * 1024 * 1024 + 4 * largest
