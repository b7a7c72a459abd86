from __future__ import annotations

import pytest

from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from operator_controller.simulation import CatalogMove, Outlook, Subject, Verdict, simulate
from tests.packages import a_catalog, a_package, an_installed

Side = tuple[CatalogContent | CatalogProblem, ...]

CHAIN = {"stable": ["2.0.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]}


def outlook(request: Request, before: Side, after: Side) -> Outlook:
    return simulate(Subject("ext", request), before, after)


def at(version: str, range_text: str | None = None, **fields: str) -> Request:
    return Request("p", range_text, installed=an_installed(version, **fields))


def cat(*bundles: str, name: str = "cat", deprecated: tuple[str, ...] = (), priority: int = 0) -> CatalogContent:
    return a_catalog(a_package(bundles, CHAIN, deprecated), name, priority)


def test_simulate_tells_of_an_upgrade_and_where_it_ends() -> None:
    found = outlook(at("1.0.0"), (cat("1.0.0"),), (cat("1.0.0", "1.1.0", "2.0.0"),))
    assert (found.verdict, [step.pin for step in found.hops]) == (Verdict.UPGRADE, ["1.1.0", "2.0.0"])


@pytest.mark.parametrize(
    ("request_", "after", "reason"),
    [
        pytest.param(
            at("1.1.0"),
            a_catalog(a_package(["1.0.0"])),
            'the installed "p.v1.1.0" is in no catalog any more, and no edge leads on from it',
            id="the installed bundle is gone",
        ),
        pytest.param(
            at("1.0.0", "<1.1"),
            cat("1.1.0"),
            'no bundle has a version in "<1.1"; nearest to it: 1.1.0',
            id="what is left is outside the range",
        ),
        pytest.param(
            at("1.0.0"), a_catalog(None), 'package "p" is in none of the catalogs [cat]', id="the package is gone"
        ),
    ],
)
def test_simulate_tells_that_an_extension_is_stranded(request_: Request, after: CatalogContent, reason: str) -> None:
    found = outlook(request_, (cat("1.0.0", "1.1.0"),), (after,))
    assert (found.verdict, found.verdict.is_bad, found.hops) == (Verdict.STRANDED, True, ())
    assert found.reason == reason


@pytest.mark.parametrize(
    ("request_", "before"),
    [
        pytest.param(at("0.9.0"), cat("1.0.0"), id="it had no answer before"),
        pytest.param(Request("p", "9"), cat("1.0.0"), id="nothing is installed"),
    ],
)
def test_simulate_tells_that_an_extension_is_blocked(request_: Request, before: CatalogContent) -> None:
    assert outlook(request_, (before,), (cat("1.0.0"),)).verdict is Verdict.BLOCKED


def test_simulate_tells_that_an_extension_becomes_deprecated() -> None:
    before = cat("1.0.0")
    found = outlook(at("1.0.0"), (before,), (cat("1.0.0", deprecated=("1.0.0",)),))
    assert (found.verdict, found.deprecations) == (Verdict.UNCHANGED, ("gone soon",))
    assert outlook(at("1.0.0"), (cat("1.0.0", deprecated=("1.0.0",)),), (before,)).deprecations == ()


def test_simulate_tells_that_a_stranded_extension_is_deprecated_too() -> None:
    found = outlook(at("1.0.0"), (cat("1.0.0"),), (cat("2.0.0", deprecated=("1.0.0",)),))
    assert (found.verdict, found.deprecations) == (Verdict.STRANDED, ("gone soon",))


def test_simulate_tells_that_another_catalog_is_used() -> None:
    other = cat("1.0.0", name="other", priority=-1)
    found = outlook(at("1.0.0"), (cat("1.0.0"), other), (a_catalog(None), other))
    assert (found.verdict, found.catalog_move) == (Verdict.UNCHANGED, CatalogMove("cat", "other"))
    recorded = outlook(at("1.0.0", catalog="other"), (cat("1.0.0"), other), (cat("1.0.0"), other))
    assert recorded.catalog_move == CatalogMove("other", "cat")
    unknown = outlook(at("1.0.0", catalog="elsewhere"), (cat("1.0.0"),), (cat("1.0.0"),))
    assert unknown.catalog_move is None


@pytest.mark.parametrize(
    ("request_", "before", "after", "verdict"),
    [
        pytest.param(Request("p"), (cat("1.0.0"),), (cat("1.1.0"),), Verdict.INSTALL, id="first install"),
        pytest.param(at("1.0.0"), (cat("1.0.0"),), (cat("1.0.0"),), Verdict.UNCHANGED, id="the same"),
        pytest.param(at("1.0.0"), (), (), Verdict.UNCONCERNED, id="selects none"),
        pytest.param(at("1.0.0"), (a_catalog(None),), (a_catalog(None),), Verdict.UNCONCERNED, id="package in none"),
        pytest.param(at("1.0.0"), (cat("1.0.0"),), (CatalogProblem("cat", 0, "x"),), Verdict.UNKNOWN, id="sick"),
    ],
)
def test_simulate_has_a_word_for_everything(request_: Request, before: Side, after: Side, verdict: Verdict) -> None:
    found = outlook(request_, before, after)
    assert (found.verdict, found.verdict.is_bad) == (verdict, False)


def test_simulate_tells_of_a_change_that_is_no_upgrade() -> None:
    back = a_catalog(a_package(["1.0.0-1"], {"stable": ["1.0.0-1 (R 1.0.0)"]}))
    assert outlook(at("1.0.0"), (cat("1.0.0"),), (back,)).verdict is Verdict.CHANGE
    unreadable = Request("p", policy="SelfCertified", installed=an_installed("p.vbad"))
    assert outlook(unreadable, (cat("1.0.0"),), (cat("1.0.0"),)).verdict is Verdict.CHANGE


def test_outlook_as_plain_values() -> None:
    found = outlook(at("1.0.0"), (cat("9.0.0"),), (cat("1.0.0", "1.1.0"),))
    assert found.to_json() == {
        "name": "ext",
        "package": "p",
        "verdict": "Upgrade",
        "installed": {"bundle": "p.v1.0.0", "version": "1.0.0", "release": None},
        "before": {
            "message": 'error upgrading from currently installed version "1.0.0": no bundles found for package "p"'
        },
        "after": {
            "bundle": "p.v1.1.0",
            "version": "1.1.0",
            "release": None,
            "catalog": "cat",
            "isInstalled": False,
        },
        "hops": [{"bundle": "p.v1.1.0", "version": "1.1.0", "catalog": "cat"}],
        "reason": "",
        "deprecations": [],
        "catalogMove": None,
        "notes": [],
    }
