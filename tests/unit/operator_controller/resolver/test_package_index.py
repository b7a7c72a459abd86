from __future__ import annotations

import msgspec

from olmv1.fbc import Bundle, Property
from operator_controller.resolver import index_package
from tests.packages import a_bundle, a_package


def test_index_sorts_candidates_best_first() -> None:
    bundles: list[str | Bundle] = [
        "1.0.0",
        "2.0.0-rc.1",
        a_bundle("b", version="1.5.0"),
        a_bundle("a", version="1.5.0"),
        a_bundle("r2", version="1.5.0", release="2"),
        "1.0.0+1",
        a_bundle("bad", version="v1"),
    ]
    names = [each.name for each in index_package(a_package(bundles)).candidates]
    assert names == ["p.v2.0.0-rc.1", "r2", "a", "b", "p.v1.0.0+1", "p.v1.0.0", "bad"]


def test_index_knows_what_its_package_says_of_a_bundle() -> None:
    package = a_package(["1.0.0"], {"a": ["1.0.0", "1.1.0 (S 1.0.0)"], "b": ["1.0.0"]}, deprecated=["1.0.0"])
    (candidate,) = index_package(package).candidates
    assert (candidate.channels, candidate.skipped_in, candidate.is_deprecated) == (
        frozenset("ab"),
        frozenset("a"),
        True,
    )


def test_index_tells_why_a_version_is_unreadable() -> None:
    property_ = Property("olm.package", msgspec.Raw(b'{"packageName":"p"}'))
    bundles: list[str | Bundle] = [
        Bundle("none", "p"),
        Bundle("half", "p", properties=(property_,)),
        a_bundle("bad", version="1.0"),
    ]
    found = {each.name: each.version_error for each in index_package(a_package(bundles)).candidates}
    assert found == {
        "none": "no olm.package property with a version",
        "half": "no olm.package property with a version",
        "bad": '"1.0" is not a semantic version: expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD], '
        "found the end of the text",
    }


def test_index_finds_the_best_bundle_of_a_name() -> None:
    index = index_package(a_package([a_bundle("x", version="1.0.0"), a_bundle("x", version="2.0.0")]))
    assert str(index.by_name["x"].version) == "2.0.0"
