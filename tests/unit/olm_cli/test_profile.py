from __future__ import annotations

import base64
import json

import msgspec
import pytest

from olm_cli.profile import Api, Profile, profile_of
from olmv1.fbc import Bundle, Property
from operator_controller.resolver import index_package
from tests.packages import a_bundle, a_package


def a_telling_bundle(version: str, *properties: tuple[str, object]) -> Bundle:
    bundle = a_bundle(version)
    told = tuple(Property(type_, msgspec.Raw(json.dumps(value).encode())) for type_, value in properties)
    return Bundle(bundle.name, bundle.package, bundle.image, (*bundle.properties, *told))


def profile(*bundles: str | Bundle, channel: str = "") -> Profile:
    names = ["2.0.0", "1.0.0"]
    package = a_package(bundles, {"a": names[1:], "b": names})
    return profile_of(index_package(msgspec.structs.replace(package, default_channel=channel)))


def test_profile_reads_the_metadata_of_the_newest_bundle() -> None:
    said = {
        "displayName": "Lamp",
        "description": "long",
        "keywords": ["light", 1, ""],
        "provider": {"name": "Works"},
        "annotations": {"description": "short"},
    }
    gvk = {"group": "example.com", "version": "v1", "kind": "Lamp"}
    told = a_telling_bundle("2.0.0", ("olm.csv.metadata", said), ("olm.gvk", gvk), ("olm.gvk", gvk))
    found = profile(told, "1.0.0")
    assert found.newest is not None
    assert found == Profile(
        found.newest, "Lamp", "short", "long", "Works", ("light",), (Api("example.com", "v1", "Lamp"),)
    )


def test_profile_is_that_of_the_default_channel() -> None:
    found = [profile("2.0.0", "1.0.0", channel=channel).newest for channel in ("a", "b", "c")]
    assert [each.name if each else "" for each in found] == ["p.v1.0.0", "p.v2.0.0", "p.v2.0.0"]


def test_profile_reads_the_csv_of_older_catalogs() -> None:
    csv = {
        "kind": "ClusterServiceVersion",
        "metadata": {"annotations": {"description": "short"}},
        "spec": {"displayName": "Lamp"},
    }
    objects = [{"data": base64.b64encode(json.dumps(each).encode()).decode()} for each in ({"kind": "Service"}, csv)]
    found = profile(a_telling_bundle("2.0.0", *(("olm.bundle.object", each) for each in objects)))
    assert (found.display_name, found.summary) == ("Lamp", "short")


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("olm.csv.metadata", 1),
        ("olm.csv.metadata", {"keywords": "x", "provider": [], "annotations": None, "displayName": {}}),
        ("olm.bundle.object", {"data": "€"}),
        ("olm.bundle.object", {"data": 7}),
        ("olm.gvk", {"group": "example.com"}),
    ],
)
def test_profile_passes_over_what_it_cannot_read(type_: str, value: object) -> None:
    found = profile(a_telling_bundle("2.0.0", (type_, value)))
    assert found == Profile(found.newest)


def test_profile_of_nothing_is_empty() -> None:
    assert profile() == Profile()
