from __future__ import annotations

from operator_controller.resolver import Request, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed


def test_successor_removes_what_no_edge_leads_to() -> None:
    package = a_package(["1.0.0", "2.0.0", a_bundle("twin", version="1.0.0")])
    trace = resolve(Request("p", installed=an_installed("1.0.0")), [a_catalog(package)]).trace
    assert [(step.filter.name, step.left) for step in trace.catalogs[0].filters] == [
        ("upgrade edge", 1),
        ("rollback", 1),
    ]
    assert list(trace.reasons_for("p.v2.0.0")) == [("cat", "upgrade edge", 'no upgrade edge from "p.v1.0.0"')]
    assert list(trace.reasons_for("twin")) == [
        ("cat", "upgrade edge", 'no upgrade edge from "p.v1.0.0"; it has the installed version 1.0.0 but another name')
    ]


def test_successor_does_not_bind_self_certified() -> None:
    asked = Request("p", policy="SelfCertified", installed=an_installed("1.0.0"))
    trace = resolve(asked, [a_catalog(a_package(["2.0.0"]))]).trace
    assert [step.filter.name for step in trace.catalogs[0].filters] == ["rollback"]
