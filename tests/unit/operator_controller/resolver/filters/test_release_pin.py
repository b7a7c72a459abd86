from __future__ import annotations

from operator_controller.resolver import Chosen, Request, resolve
from tests.packages import a_bundle, a_catalog, a_package


def test_release_pin_removes_other_releases() -> None:
    answer = resolve(Request("p", "1.0.0+1"), [a_catalog(a_package(["1.0.0", "1.0.0+1", "1.0.0+2"]))])
    assert isinstance(answer, Chosen)
    assert str(answer.version) == "1.0.0+1"
    assert [(step.filter.name, step.left) for step in answer.trace.catalogs[0].filters] == [
        ("version", 3),
        ("release", 1),
    ]
    assert list(answer.trace.reasons_for("p.v1.0.0+2")) == [
        ("cat", "release", "1.0.0+2 is another release than 1.0.0+1 pins")
    ]


def test_release_pin_accepts_an_explicit_release_and_build_metadata() -> None:
    bundles = [a_bundle("explicit", version="1.0.0", release="el9"), a_bundle("built", version="2.0.0+001")]
    catalogs = [a_catalog(a_package(bundles))]
    found = [resolve(Request("p", text), catalogs) for text in ("=1.0.0+el9", "2.0.0+001")]
    assert [each.bundle.name for each in found if isinstance(each, Chosen)] == ["explicit", "built"]
