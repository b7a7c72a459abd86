"""Published catalogs, packed, pulled and served over TLS, against what another YAML parser reads in their files."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from devcluster.images import catalog_image
from tests.api.catalogd.conftest import Catalogs
from tests.data import data_dir

pytestmark = pytest.mark.data


class _Reader(yaml.CSafeLoader):
    """What catalogd does not read with; dates are text in a catalog."""


_Reader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in rules if tag != "tag:yaml.org,2002:timestamp"]
    for first, rules in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


def blobs_in(folder: Path) -> Iterator[dict[str, Any]]:
    """The documents of every file in the order in which they are served."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        yield from (document for document in yaml.load_all(path.read_bytes(), Loader=_Reader) if document is not None)


def test_published_catalogs_are_read_back_blob_for_blob(catalogs: Catalogs) -> None:
    for folder in sorted(path for path in data_dir("catalogs").iterdir() if path.is_dir()):
        ref = catalogs.push(folder.name, catalog_image(folder))
        catalogs.apply(ref)
        catalogs.wait_serving(ref)
        wanted = list(blobs_in(folder))
        assert catalogs.blobs() == wanted
        packed = catalogs.read(accept_encoding="gzip").body
        assert [json.loads(line) for line in gzip.decompress(packed).splitlines()] == wanted


def test_each_package_of_a_published_catalog_is_found_by_its_name(catalogs: Catalogs) -> None:
    folder = data_dir("catalogs", "certified-v4.19")
    ref = catalogs.push("certified", catalog_image(folder))
    catalogs.apply(ref)
    catalogs.wait_serving(ref)
    blobs = list(blobs_in(folder))
    packages = {blob["name"] for blob in blobs if blob["schema"] == "olm.package"}
    assert packages == {blob["package"] for blob in blobs if "package" in blob}
    for package in sorted(packages):
        wanted = [blob for blob in blobs if blob.get("package") == package]
        assert catalogs.blobs(f"api/v1/metas?package={package}") == wanted
