"""What real catalogs and bundles require is read without a finding, and survives its recording."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from olmv1 import fbc
from olmv1.constraints import Property, requirements_of
from operator_controller.bundle import BundleError, parse_bundle
from operator_controller.dependencies import (
    ClusterFacts,
    Mode,
    check,
    properties_of_blob,
    properties_of_image,
    read_properties,
    recorded_properties,
)
from tests.bundles import files_of
from tests.data import data_dir
from tests.requirements import a_candidate

pytestmark = pytest.mark.data


def of_catalogs() -> Iterator[tuple[Property, ...]]:
    for folder in sorted(path for path in data_dir("catalogs").iterdir() if path.is_dir()):
        catalog = fbc.load(folder)
        for name in catalog.packages:
            package = catalog.package(name)
            yield from map(properties_of_blob, package.bundles if package else ())


def of_images() -> Iterator[tuple[Property, ...]]:
    for folder in sorted(path.parent for path in data_dir("bundles").glob("*/*/manifests")):
        try:
            yield properties_of_image(parse_bundle(files_of(folder)))
        except BundleError:
            continue


def test_requirements_of_real_data_are_all_valid() -> None:
    found = [each for properties in (*of_catalogs(), *of_images()) for each in requirements_of(properties)]
    assert [each.error for each in found if each.error] == []
    kinds = Counter(each.source.partition("[")[0] for each in found)
    assert min(kinds[f"olm.{kind}"] for kind in ("package.required", "gvk.required", "kubeversion")) > 0


def test_recorded_properties_of_real_data_come_back() -> None:
    for properties in (*of_catalogs(), *of_images()):
        assert read_properties(recorded_properties(properties, properties)) == properties


def test_check_names_every_requirement_of_real_bundles() -> None:
    for properties in of_catalogs():
        verdict = check(a_candidate("real", "1.0.0", *properties), Mode.CHECK, ClusterFacts())
        wanted = [each for each in requirements_of(properties) if each.source.startswith("olm.package")]
        lines = str(verdict.failure or "").splitlines()
        assert len([line for line in lines if line.startswith("- package ")]) == len(wanted)
