"""Images made in memory: deterministic bytes, and what a registry and a puller need in them."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from devcluster.images import (
    CATALOG_LABEL,
    Image,
    bundle_image,
    catalog_image,
    chart_image,
    digest_of,
    image_of,
    index_of,
    tar_of,
)


def names_in(tar: bytes) -> list[str]:
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        return archive.getnames()


def config_of(image: Image) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(image.blobs[0])
    return config


def test_tar_of_is_the_same_for_any_order_of_files() -> None:
    files = {"b/two": b"2", "a": b"1", "b/c/three": b"3"}
    assert tar_of(files) == tar_of(dict(reversed(files.items())))


def test_tar_of_puts_folders_before_their_files() -> None:
    assert names_in(tar_of({"b/c/three": b"3", "a": b"1", "empty/": b""})) == ["a", "b", "b/c", "b/c/three", "empty"]


def test_tar_of_keeps_a_digest_over_versions() -> None:
    expected = "sha256:7a2f4bd16e7bcb634ba57b8499f16d0bf20db8f0f35fd47431898785fbef0b6f"
    assert digest_of(tar_of({"configs/demo.yaml": b"schema: olm.package\n"})) == expected


@pytest.mark.parametrize("compression", ["gzip", "zstd", "none"])
def test_image_of_gives_the_same_digest_each_time(compression: Any) -> None:
    first, second = (image_of({"a": b"1"}, compression=compression) for _ in range(2))
    assert first == second


def test_image_of_names_every_blob_in_its_manifest() -> None:
    image = image_of([{"a": b"1"}, {"b": b"2"}], labels={"x": "y"})
    manifest = json.loads(image.manifest)
    named = [part["digest"] for part in (manifest["config"], *manifest["layers"])]
    assert named == [digest_of(blob) for blob in image.blobs]


def test_image_of_records_labels_and_uncompressed_layers() -> None:
    config = config_of(image_of([{"a": b"1"}, {"b": b"2"}], labels={"x": "y"}))
    assert config == {
        "architecture": "amd64",
        "os": "linux",
        "config": {"Labels": {"x": "y"}},
        "rootfs": {"type": "layers", "diff_ids": [digest_of(tar_of({"a": b"1"})), digest_of(tar_of({"b": b"2"}))]},
    }


def test_image_of_compresses_layers_as_asked() -> None:
    tar = tar_of({"a": b"1"})
    assert gzip.decompress(image_of({"a": b"1"}).blobs[1]) == tar
    assert zstd.decompress(image_of({"a": b"1"}, compression="zstd").blobs[1]) == tar
    assert image_of({"a": b"1"}, compression="none").blobs[1] == tar


def test_index_of_names_each_architecture() -> None:
    images = [image_of({"a": b"1"}, architecture=name) for name in ("amd64", "arm64")]
    listed = json.loads(index_of(images).manifest)["manifests"]
    assert [(one["platform"]["architecture"], one["digest"]) for one in listed] == [
        ("amd64", images[0].digest),
        ("arm64", images[1].digest),
    ]


def test_catalog_image_labels_its_folder() -> None:
    image = catalog_image({"demo/catalog.yaml": b"schema: olm.package\n"})
    assert config_of(image)["config"]["Labels"] == {CATALOG_LABEL: "/configs"}
    assert names_in(gzip.decompress(image.blobs[1])) == ["configs", "configs/demo", "configs/demo/catalog.yaml"]


def test_catalog_image_reads_a_folder(tmp_path: Path) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "catalog.yaml").write_bytes(b"schema: olm.package\n")
    assert catalog_image(tmp_path) == catalog_image({"demo/catalog.yaml": b"schema: olm.package\n"})


def test_bundle_image_takes_the_folders_of_a_bundle_only() -> None:
    image = bundle_image({"manifests/csv.yaml": b"{}", "metadata/annotations.yaml": b"{}", "README.md": b"no"})
    assert names_in(gzip.decompress(image.blobs[1])) == [
        "manifests",
        "manifests/csv.yaml",
        "metadata",
        "metadata/annotations.yaml",
    ]


def test_chart_image_is_what_helm_pushes() -> None:
    image = chart_image({"Chart.yaml": b"name: lantern", "templates/a.yaml": b""})
    manifest = json.loads(image.manifest)
    assert manifest["config"]["mediaType"] == "application/vnd.cncf.helm.config.v1+json"
    assert [layer["mediaType"] for layer in manifest["layers"]] == [
        "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
    ]
    assert names_in(gzip.decompress(image.blobs[1])) == [
        "chart",
        "chart/Chart.yaml",
        "chart/templates",
        "chart/templates/a.yaml",
    ]
