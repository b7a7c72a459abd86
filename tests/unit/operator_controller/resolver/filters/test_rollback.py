from __future__ import annotations

from typing import get_args

import pytest

from olmv1.fbc import Bundle
from operator_controller.resolver import CatalogProblem, Chosen, Request, Unresolved, UpgradePolicy, resolve
from tests.packages import a_bundle, a_catalog, a_package, an_installed


def version_of(answer: Chosen | Unresolved) -> str | None:
    return str(answer.version) if isinstance(answer, Chosen) else None


def test_rollback_removes_lower_versions() -> None:
    package = a_package(["1.0.0", "2.0.0"])
    asked = Request("p", policy="SelfCertified", installed=an_installed("2.0.0"))
    trace = resolve(asked, [a_catalog(package)]).trace
    assert list(trace.reasons_for("p.v1.0.0")) == [
        ("cat", "rollback", "version 1.0.0 is lower than the installed 2.0.0")
    ]


@pytest.mark.parametrize("policy", ["CatalogProvided", "SelfCertified"])
def test_rollback_keeps_a_version_that_cannot_be_read_but_prefers_to_stay(policy: UpgradePolicy) -> None:
    bad = a_bundle("bad", version="v1")
    asked = Request("p", policy=policy, installed=an_installed("2.0.0"))
    for others, start in ([], "error getting resolved bundle version "), (["2.0.0"], "2.0.0"):
        answer = resolve(asked, [a_catalog(a_package([bad, *others], {"a": ["bad (R 2.0.0)"]}))])
        assert (answer.message if isinstance(answer, Unresolved) else str(answer.version)).startswith(start)


def test_self_certified_takes_no_respin_with_a_lower_version() -> None:
    package = a_package(["3.3.9", "3.3.9-operator.1"], {"a": ["3.3.9-operator.1 (R 3.3.9)", "3.3.9"]})
    taken = {
        policy: version_of(resolve(Request("p", policy=policy, installed=an_installed("3.3.9")), [a_catalog(package)]))
        for policy in get_args(UpgradePolicy)
    }
    assert taken == {"CatalogProvided": "3.3.9-operator.1", "SelfCertified": "3.3.9"}


_CHANNELS = {"old": ["1.0.0"], "new": ["2.0.0", "1.0.0"]}


@pytest.mark.parametrize(
    ("asked", "bundles", "expected"),
    [
        pytest.param(("<2", ()), ["1.0.0", "2.0.0"], "1.0.0", id="range excludes the installed"),
        pytest.param((None, ("old",)), ["1.0.0", "2.0.0"], "1.0.0", id="channels exclude the installed"),
        pytest.param((None, ("new",)), ["1.0.0", "2.0.0"], "2.0.0", id="channels hold the installed"),
        pytest.param((None, ()), ["1.0.0"], None, id="the installed is withdrawn"),
        pytest.param((None, ("new",)), ["1.0.0"], None, id="bundle withdrawn from a channel that names it"),
    ],
)
def test_self_certified_goes_back_only_when_asked(
    asked: tuple[str | None, tuple[str, ...]], bundles: list[str], expected: str | None
) -> None:
    request = Request("p", *asked, policy="SelfCertified", installed=an_installed("2.0.0"))
    assert version_of(resolve(request, [a_catalog(a_package(bundles, _CHANNELS))])) == expected


def test_self_certified_stays_off_a_catalog_that_lacks_the_installed_version() -> None:
    high = a_catalog(a_package(["1.0.0"], {"new": ["1.0.0"]}), "high", 9)
    low = a_catalog(a_package(["2.0.0"], {"new": ["2.0.0"]}), "low")
    for channels in ((), ("new",)):
        request = Request("p", channels=channels, policy="SelfCertified", installed=an_installed("2.0.0"))
        assert version_of(resolve(request, [high, low])) == "2.0.0"


def test_channel_alone_does_not_go_back_when_the_installed_bundle_is_known_nowhere() -> None:
    catalogs = [a_catalog(a_package(["1.0.0"], {"old": ["1.0.0"]}))]
    request = Request("p", channels=("old",), policy="SelfCertified", installed=an_installed("2.0.0"))
    assert version_of(resolve(request, catalogs)) is None


def test_bundle_in_no_channel_is_known_all_the_same() -> None:
    catalogs = [a_catalog(a_package(["1.0.0", "2.0.0"], {"old": ["1.0.0"]}))]
    request = Request("p", channels=("old",), policy="SelfCertified", installed=an_installed("2.0.0"))
    assert version_of(resolve(request, catalogs)) == "1.0.0"


def test_channel_alone_does_not_go_back_while_a_catalog_cannot_be_asked() -> None:
    usable = a_catalog(a_package(["1.0.0", "2.0.0"], _CHANNELS))
    request = Request("p", channels=("old",), policy="SelfCertified", installed=an_installed("2.0.0"))
    answer = resolve(request, [usable, CatalogProblem("sick", -1, "no route")])
    assert isinstance(answer, Unresolved)
    assert answer.problem_catalogs == ("sick",)


def test_channel_alone_does_not_go_back_along_edges() -> None:
    package = a_package(["2.0.0", "3.0.0"], {"back": ["2.0.0 (R 3.0.0)"], "new": ["3.0.0"]})
    request = Request("p", channels=("back",), installed=an_installed("3.0.0"))
    assert version_of(resolve(request, [a_catalog(package)])) is None


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        pytest.param("(R 1.0.0)", "twin", id="replaces"),
        pytest.param("(SR <=1.0.0)", "p.v1.0.0", id="skipRange holds itself and leads back"),
    ],
)
def test_bundle_of_the_same_version_is_followed_once(edges: str, expected: str) -> None:
    back = "1.0.0" if expected == "twin" else "1.0.0 (R twin)"
    package = a_package([a_bundle("twin", version="1.0.0"), "1.0.0"], {"a": [f"twin {edges}", back]})
    answer = resolve(Request("p", installed=an_installed("1.0.0")), [a_catalog(package)])
    assert isinstance(answer, Chosen)
    assert answer.bundle.name == expected
    removed = [reason for _, _, reason in answer.trace.reasons_for("twin")]
    assert removed == ([] if expected == "twin" else ["version 1.0.0 is the same as the installed 1.0.0"])


def test_respin_is_not_followed_when_a_longer_way_leads_back() -> None:
    entries = ["3.3.9-1 (R 3.3.9)", "3.4.0 (R 3.3.9-1)", "ghost (R 3.3.9-1)", "bad (R 3.4.0)", "3.3.9 (R bad)"]
    bundles: list[str | Bundle] = ["3.3.9", "3.3.9-1", a_bundle("bad", version="v1"), "3.4.0"]
    package = a_package(bundles, {"a": entries})
    answer = resolve(Request("p", installed=an_installed("3.3.9")), [a_catalog(package)])
    assert version_of(answer) == "3.3.9"


def test_rollback_does_not_apply_to_an_unreadable_installed_version() -> None:
    request = Request("p", policy="SelfCertified", installed=an_installed("p.vbad"))
    assert version_of(resolve(request, [a_catalog(a_package(["1.0.0"]))])) == "1.0.0"
