from __future__ import annotations

import pytest

from olmv1.constraints import (
    ApiRequired,
    KubernetesRequired,
    LabelRequired,
    PackageRequired,
    Property,
    Requirement,
    requirements_of,
)
from olmv1.versions import SkipRange, Version
from tests.requirements import BLUE, group, needs, needs_api, needs_package


def test_requirements_of_reads_every_type_in_order() -> None:
    found = requirements_of(
        [
            Property("olm.package", {"packageName": "red", "version": "1.0.0"}),
            needs_package("blue", ">=1.0.0"),
            needs_api(BLUE),
            Property("olm.label.required", {"label": "gpu"}),
            Property("olm.kubeversion", {"version": "1.28"}),
        ]
    )
    assert [each.source for each in found] == [
        "olm.package.required[0]",
        "olm.gvk.required[0]",
        "olm.label.required[0]",
        "olm.kubeversion[0]",
    ]
    assert [each.predicate for each in found] == [
        PackageRequired("blue", SkipRange.parse(">=1.0.0")),
        ApiRequired(*BLUE),
        LabelRequired("gpu"),
        KubernetesRequired(Version.parse("1.28.0")),
    ]


def test_requirements_of_names_equal_ones_once() -> None:
    found = requirements_of([needs_api(BLUE), needs_api(BLUE), needs({"gvk": needs_api(BLUE).value}), needs(3)])
    assert [each.source for each in found] == ["olm.gvk.required[0]", "olm.constraint[1]"]


def test_requirements_of_passes_over_keys_that_the_simple_types_do_not_know() -> None:
    value = {"packageName": "blue", "versionRange": ">1.0.0", "note": "why"}
    assert requirements_of([Property("olm.package.required", value)])[0].error == ""


@pytest.mark.parametrize(
    ("property_", "error"),
    [
        (needs_package("blue", "~1"), '[0].versionRange: invalid version range "~1": '),
        (needs_package("", ">1.0.0"), "[0].packageName: expected text, found nothing"),
        (Property("olm.package.required", []), "[0]: expected an object, found a list"),
        (Property("olm.package.required", None), "[0]: expected an object, found nothing"),
        (Property("olm.package.required", {"packageName": 7}), "[0].packageName: expected text, found a number"),
        (needs_api(("g", "", "K")), "[0].version: expected text, found nothing"),
        (needs_api(("g", "v1", "")), "[0].kind: expected text, found nothing"),
        (Property("olm.label.required", {}), "[0].label: expected text, found nothing"),
        (Property("olm.kubeversion", "new"), "[0]: unable to parse 'new' to semver format"),
        (Property("olm.kubeversion", {"version": "1.x"}), "[0].version: unable to parse '1.x' to semver format"),
    ],
)
def test_requirements_of_says_where_a_requirement_is_invalid(property_: Property, error: str) -> None:
    (found,) = requirements_of([property_])
    assert found.predicate is None
    assert found.error.startswith(f"invalid dependency: {property_.type}{error}")


def test_requirements_of_a_bundle_have_at_most_32_rules() -> None:
    rules = [{"cel": {"rule": f"{number} > 0"}} for number in range(32)]
    found = requirements_of([needs(group("any", *rules)), needs_api(BLUE), needs(rules[0])])
    assert [each.error for each in found] == [
        "",
        "",
        "invalid dependency: olm.constraint[1]: a bundle has at most 32 rules in CEL",
    ]


def test_requirements_of_accepts_the_core_group() -> None:
    assert requirements_of([needs_api(("", "v1", "Pod"))]) == (
        Requirement("olm.gvk.required[0]", ApiRequired("", "v1", "Pod"), {"group": "", "version": "v1", "kind": "Pod"}),
    )
