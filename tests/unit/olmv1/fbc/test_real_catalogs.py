"""Every blob of the real catalogs: read, normalised, read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from catalogd.index import IndexBuilder
from catalogd.query import MetasQuery, select
from olmv1.fbc import Blob, blobs_of_file, catalog_files, load, package_of
from olmv1.yaml import dump_json, load_all, load_json
from olmv1.yaml.exact import load_exact
from tests.data import data_dir

pytestmark = pytest.mark.data


def files() -> list[Path]:
    return list(catalog_files(data_dir("catalogs")))


def blobs(path: Path) -> list[Blob]:
    return list(blobs_of_file(path.read_bytes(), path.name))


def test_real_catalogs_are_normalised_once_and_for_all() -> None:
    for path in files():
        lines = [blob.json for blob in blobs(path)]
        again = [blob.json for blob in blobs_of_file(b"\n".join(lines), path.name)]
        assert again == lines
        assert [dump_json(load_json(line)) for line in lines] == lines


def test_real_catalogs_are_read_as_the_exact_loader_reads_them() -> None:
    for path in files():
        parts = [part for part in re.split(rb"(?m)^---.*\n", path.read_bytes()) if part.strip()]
        assert [blob.json for blob in blobs(path)] == [dump_json(load_exact(part)) for part in parts]


def test_real_catalogs_have_packages_with_readable_parts() -> None:
    catalog = load(data_dir("catalogs"))
    packages = [catalog.package(name) for name in catalog.packages]
    assert len(packages) == 30
    for package in packages:
        assert package is not None
        assert package.default_channel in {channel.name for channel in package.channels}
        assert all(bundle.version_text and bundle.image for bundle in package.bundles)
        assert package.other_schemas == ()


def test_real_catalogs_are_found_again_through_the_index() -> None:
    catalog = load(data_dir("catalogs"))
    content = b"".join(blob.json + b"\n" for blob in catalog.blobs)
    builder = IndexBuilder()
    for blob in catalog.blobs:
        builder.add(blob.schema, blob.package, blob.name, len(blob.json) + 1)
    index = builder.build()
    for name in catalog.packages:
        parts = select(index, MetasQuery(package=name)) + select(index, MetasQuery(schema="olm.package", name=name))
        lines = b"".join(content[offset : offset + length] for offset, length in parts).splitlines()
        assert package_of(name, lines) == catalog.package(name)


def test_real_manifests_are_read_alike_by_both_loaders() -> None:
    for path in sorted(data_dir("bundles").rglob("*.yaml")):
        parts = [part for part in re.split(rb"(?m)^---.*\n", path.read_bytes()) if part.strip()]
        exact = [dump_json(value) for part in parts if (value := load_exact(part)) is not None]
        assert [dump_json(value) for value in load_all(path.read_bytes())] == exact
