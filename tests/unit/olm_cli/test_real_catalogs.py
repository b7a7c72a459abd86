"""Every package of real catalogs: nothing is left out, and what is shown agrees with what is resolved."""

from __future__ import annotations

import json

import pytest

from olmv1.fbc import SCHEMA_BUNDLE, Catalog, load
from tests.data import data_dir
from tests.olm_command import olm

pytestmark = pytest.mark.data
NAME = "certified-v4.19"


@pytest.fixture(scope="module")
def path() -> str:
    return str(data_dir("catalogs", NAME))


@pytest.fixture(scope="module")
def catalog(path: str) -> Catalog:
    return load(path)


def test_show_lists_every_package(path: str, catalog: Catalog) -> None:
    said = olm("catalog", "show", "--catalog", path, "-o", "json")
    assert tuple(document["package"] for document in said.json) == catalog.packages


def test_versions_shows_every_bundle_once(path: str, catalog: Catalog) -> None:
    for package in ("cloudnative-pg", "crunchy-postgres-operator", "nutanixcsioperator"):
        [document] = olm("catalog", "versions", package, "--catalog", path, "-o", "json").json
        bundles = [blob.name for blob in catalog.blobs if (blob.schema, blob.package) == (SCHEMA_BUNDLE, package)]
        assert sorted(each["bundle"] for each in document["versions"]) == sorted(bundles)
        assert all(each["version"] and each["image"] for each in document["versions"])


def test_resolve_without_a_range_takes_the_first_version_shown(path: str) -> None:
    for package in ("cloudnative-pg", "trident-operator"):
        [document] = olm("catalog", "versions", package, "--catalog", path, "-o", "json").json
        said = olm("resolve", "-p", package, "--catalog", path, "-o", "json")
        first = document["versions"][0]
        assert (said.code, said.json["bundle"], said.json["image"]) == (0, first["bundle"], first["image"])


def test_resolve_upgrades_along_a_real_channel(path: str) -> None:
    package, installed = "crunchy-postgres-operator", "5.6.0"
    seen: list[str] = []
    while not seen or seen[-1] != installed:
        seen.append(installed)
        installed = olm("resolve", "-p", package, "--installed", installed, "--catalog", path, "-o", "json").json[
            "version"
        ]
    assert seen[:3] == ["5.6.0", "5.6.1", "5.7.0"]
    assert (
        seen[-1]
        == json.loads(olm("catalog", "show", package, "--catalog", path, "-o", "json").out)[0]["channels"][0]["newest"][
            "version"
        ]
    )
