from __future__ import annotations

import msgspec

from olmv1 import fbc
from olmv1.constraints import Property
from operator_controller.bundle.model import Api, Bundle
from operator_controller.bundle.model import Property as BundleProperty
from operator_controller.dependencies import (
    merged,
    properties_of_blob,
    properties_of_dependencies,
    properties_of_image,
)


def test_properties_of_a_blob_are_decoded() -> None:
    values = {
        "olm.package": b'{"packageName":"blue","version":"1.0.0"}',
        "olm.bundle.object": b"{}",
        "olm.csv.metadata": b"{}",
        "broken": b"{",
        "deep": b"[" * 100_000 + b"]" * 100_000,
        "shape": b"3",
    }
    blob = fbc.Bundle("b", "blue", "", tuple(fbc.Property(name, msgspec.Raw(raw)) for name, raw in values.items()))
    assert properties_of_blob(blob) == (
        Property("olm.package", {"packageName": "blue", "version": "1.0.0"}),
        Property("shape", 3),
    )


def test_properties_of_an_image_are_all_it_says() -> None:
    bundle = Bundle(
        package="blue",
        csv_name="blue.v1",
        min_kube_version="1.28.0",
        owned_apis=(Api("g", "v1", "Own"),),
        required_apis=(Api("g", "v1", "Need"), Api("g", "v1", "Need")),
        properties=(BundleProperty("color", "red"), BundleProperty("olm.bundle.object", {})),
        dependencies=(BundleProperty("olm.package", {"packageName": "green", "version": ">1.0.0"}),),
    )
    assert properties_of_image(bundle) == (
        Property("color", "red"),
        Property("olm.package.required", {"packageName": "green", "versionRange": ">1.0.0"}),
        Property("olm.gvk", {"group": "g", "kind": "Own", "version": "v1"}),
        Property("olm.gvk.required", {"group": "g", "kind": "Need", "version": "v1"}),
        Property("olm.kubeversion", {"version": "1.28.0"}),
    )


def test_properties_of_dependencies_are_those_that_a_catalog_makes() -> None:
    gvk, label, rule = {"kind": "K"}, {"label": "gpu"}, {"cel": {"rule": "true"}}
    written = [
        ("olm.package", {"packageName": "p", "version": "1.0.0"}),
        ("olm.package", 3),
        ("olm.gvk", gvk),
        ("olm.label", label),
        ("olm.constraint", rule),
        ("other", 1),
    ]
    assert properties_of_dependencies(written) == (
        Property("olm.package.required", {"packageName": "p", "versionRange": "1.0.0"}),
        Property("olm.package.required", 3),
        Property("olm.gvk.required", gvk),
        Property("olm.label.required", label),
        Property("olm.constraint", rule),
    )


def test_merged_has_equal_properties_once_whatever_the_order_of_keys() -> None:
    one, same = Property("x", {"a": 1, "b": 2}), Property("x", {"b": 2, "a": 1})
    assert merged([one, Property("y", 1)], [same, Property("y", 2)]) == (one, Property("y", 1), Property("y", 2))
