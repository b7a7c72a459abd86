"""Every package of every real catalog, from every installed version and from none: the oracle's choice is ours."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from olmv1.fbc import SCHEMA_BUNDLE, SCHEMA_CHANNEL, load
from tests.asked_twice import Catalogs, CatalogSpec, answers
from tests.data import data_dir
from tests.oracle import Answer, Asking, Having

pytestmark = pytest.mark.data

Packages = Mapping[tuple[str, str], Sequence[Mapping[str, Any]]]


@pytest.fixture(scope="module")
def packages() -> Packages:
    """(catalog, package) → its blobs."""
    found: dict[tuple[str, str], list[Mapping[str, Any]]] = {}
    for folder in sorted(path for path in data_dir("catalogs").iterdir() if path.is_dir()):
        for blob in load(folder).blobs:
            found.setdefault((folder.name, blob.package or blob.name), []).append(json.loads(blob.json))
    assert found
    return found


def _havings(blobs: Sequence[Mapping[str, Any]]) -> Iterator[Having]:
    for blob in blobs:
        if blob["schema"] == SCHEMA_BUNDLE:
            [identity] = [each["value"] for each in blob["properties"] if each["type"] == "olm.package"]
            yield Having(blob["name"], identity["version"], identity.get("release"))


def _differing(
    package: tuple[str, str], blobs: Sequence[Mapping[str, Any]], askings: Iterator[Asking]
) -> Iterator[tuple[Asking, Answer, Answer]]:
    catalogs = Catalogs(package[1], [CatalogSpec(package[0], blobs)])
    for asking in askings:
        ours, expected = answers(asking, catalogs)
        if ours != expected:
            yield asking, ours, expected


def test_every_package_from_every_installed_version(packages: Packages) -> None:
    for key, blobs in packages.items():
        every = (Asking(key[1], having=having) for having in (None, *_havings(blobs)))
        assert list(_differing(key, blobs, every)) == []


def test_every_package_in_every_channel_from_every_installed_version(packages: Packages) -> None:
    for key, blobs in packages.items():
        channels = [blob["name"] for blob in blobs if blob["schema"] == SCHEMA_CHANNEL]
        every = (
            Asking(key[1], channels=(channel,), having=having)
            for channel in channels
            for having in (None, *_havings(blobs))
        )
        assert list(_differing(key, blobs, every)) == []


def _ranges(having: Having | None) -> Iterator[str | None]:
    """Ranges about the version: itself, its minor and major, below, beside."""
    if having is not None:
        core = having.version.partition("-")[0].partition("+")[0]
        major, minor, _ = core.split(".")
        yield from (core, f"={having.version}", f"~{major}.{minor}", f"^{core}", f"<{core}", f">{core}", f"!={core}")
    yield from (None, ">=0.0.0-0")


def test_every_package_with_ranges_policies_and_clusters(packages: Packages) -> None:
    for key, blobs in packages.items():
        asked = [
            Asking(key[1], text, having=having, is_self_certified=is_free, hold_major=not is_free, kube_version=cluster)
            for having in (None, *_havings(blobs))
            for text in _ranges(having)
            for is_free, cluster in ((True, None), (False, "1.24.3"), (True, "1.20.0"))
        ]
        # Every second of the combinations: three kinds in a row, so each kind meets every other range.
        assert list(_differing(key, blobs, iter(asked[::2]))) == []


@pytest.mark.parametrize("priority", [0, 1])
def test_every_package_beside_a_catalog_that_lost_its_first_bundle(packages: Packages, priority: int) -> None:
    for key, blobs in packages.items():
        first = next(blob["name"] for blob in blobs if blob["schema"] == SCHEMA_BUNDLE)
        other = [blob for blob in blobs if (blob["schema"], blob["name"]) != (SCHEMA_BUNDLE, first)]
        catalogs = Catalogs(key[1], [CatalogSpec("whole", blobs), CatalogSpec("other", other, priority)])
        for having in (None, *_havings(blobs)):
            ours, expected = answers(Asking(key[1], having=having), catalogs)
            assert ours == expected
