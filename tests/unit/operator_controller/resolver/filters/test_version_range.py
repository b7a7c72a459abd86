from __future__ import annotations

from operator_controller.resolver import Request, resolve
from tests.packages import a_bundle, a_catalog, a_package


def test_version_removes_what_is_outside_the_range() -> None:
    package = a_package(["1.0.0", "2.0.0-rc.1", "0.1.0-rc.1", a_bundle("bad", version="v1")])
    trace = resolve(Request("p", ">=2"), [a_catalog(package)]).trace
    assert [(step.filter.name, step.left) for step in trace.catalogs[0].filters] == [("version", 0)]
    assert [(each.bundle, each.reason) for each in trace.catalogs[0].filters[0].removals] == [
        ("p.v2.0.0-rc.1", 'version 2.0.0-rc.1: range ">=2" does not contain it'),
        ("p.v1.0.0", 'version 1.0.0: range ">=2" does not contain it'),
        ("p.v0.1.0-rc.1", 'version 0.1.0-rc.1: range ">=2" does not contain it'),
        (
            "bad",
            'the version is unreadable: "v1" is not a semantic version: '
            'expected MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD], found "v" at character 1',
        ),
    ]


def test_version_tells_a_hidden_prerelease() -> None:
    trace = resolve(Request("p", "1.x"), [a_catalog(a_package(["1.1.0-rc.1"]))]).trace
    assert list(trace.reasons_for("p.v1.1.0-rc.1")) == [
        ("cat", "version", 'version 1.1.0-rc.1: range "1.x" hides this pre-release')
    ]
