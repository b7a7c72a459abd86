from __future__ import annotations

import pytest

from operator_controller.explanation import Route
from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from tests.explanations import C1, C5, C9, C10, a_place, a_request, explained
from tests.packages import a_bundle


def route_of(request: Request, *catalogs: CatalogContent | CatalogProblem) -> Route:
    found = explained(request, *catalogs).route
    assert found is not None
    return found


def pins(route: Route) -> list[str]:
    return [step.pin for step in route.steps]


def test_route_leads_to_a_version_that_no_edge_leads_to() -> None:
    route = route_of(a_request("0.1.1", version="0.1.3"), C1)
    assert pins(route) == ["0.1.2", "0.1.3"]
    assert [str(step.edge) for step in route.steps] == ["replaces in alpha", "replaces in beta"]
    assert (route.wanted, route.wanted_version, route.reaches_wanted, route.refusal, route.by_itself) == (
        "p.v0.1.3",
        "0.1.3",
        True,
        "",
        ">=0.1.1 <=0.1.3",
    )


def test_route_is_the_shortest() -> None:
    place = a_place(
        {"s": ["4.0.0 (R 3.0.0; S 2.0.0)", "3.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0; SR <1.5.0)", "1.0.0 (R 0.9.0)", "0.9.0"]}
    )
    assert pins(route_of(a_request("0.9.0", version="4.0.0"), place)) == ["2.0.0", "4.0.0"]


def test_route_prefers_good_bundles_among_equally_short_ways() -> None:
    channels = {"s": ["3.0.0 (S 2.0.0 2.1.0 2.2.0)", "2.2.0 (R 1.0.0)", "2.1.0 (R 1.0.0)", "2.0.0 (R 1.0.0)", "1.0.0"]}
    place = a_place(channels, deprecated=["2.2.0"])
    assert pins(route_of(a_request("1.0.0", version="3.0.0"), place)) == ["2.1.0", "3.0.0"]


def test_route_keeps_to_the_channels() -> None:
    route = route_of(a_request("0.1.1", version="0.1.2", channels=["beta"]), C1)
    assert [str(step.edge) for step in route.steps] == ["replaces in beta"]
    gone = route_of(a_request("0.1.3", channels=["alpha"]), C1)
    assert (gone.wanted, gone.steps, gone.reached, gone.reaches_wanted) == ("p.v0.1.2", (), "", False)


def test_route_over_several_catalogs() -> None:
    old = a_place({"s": ["1.1.0 (R 1.0.0)", "1.0.0"]}, name="old")
    new = a_place({"s": ["2.0.0 (R 1.1.0)"]}, name="new")
    route = route_of(a_request("1.0.0", version="2.0.0"), old, new)
    assert [(step.pin, step.catalog) for step in route.steps] == [("1.1.0", "old"), ("2.0.0", "new")]
    assert route.refusal == ""


def test_route_ends_at_the_best_that_fits_when_the_wanted_one_is_out_of_reach() -> None:
    place = a_place({"s": ["3.0.0", "2.0.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]})
    route = route_of(a_request("1.0.0", version=">=2"), place)
    assert (route.wanted, pins(route), route.reaches_wanted) == ("p.v3.0.0", ["1.1.0", "2.0.0"], False)


def test_route_goes_back_only_when_the_range_asks_for_it() -> None:
    assert pins(route_of(a_request("3.0.0", version="<3"), C10)) == ["2.0.0"]
    assert explained(a_request("3.0.0"), C10).route is None


def test_route_pins_releases() -> None:
    place = a_place({"s": ["1.0.0+2 (R 1.0.0+1)", "1.0.0+1 (R 1.0.0)", "1.0.0"]})
    assert pins(route_of(a_request("1.0.0", version="1.0.0+2"), place)) == ["1.0.0+1", "1.0.0+2"]


def test_route_without_a_range_needs_none_to_be_walked() -> None:
    assert route_of(a_request("1.0.0"), C5).by_itself == ""


def test_route_follows_a_respin() -> None:
    assert pins(route_of(a_request("3.3.9", version="3.4.0"), C9)) == ["3.3.9-operator.1", "3.4.0"]


def test_route_respects_a_held_major_version() -> None:
    free, held = (route_of(a_request("1.0.0", hold_major=hold), C5) for hold in (False, True))
    assert (pins(free), pins(held)) == (["2.0.0", "3.0.0"], [])


def test_route_marks_major_versions_and_deprecated_bundles() -> None:
    place = a_place({"s": ["2.0.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]}, deprecated=["1.1.0"])
    steps = route_of(a_request("1.0.0", version="2.0.0"), place).steps
    assert [(step.is_deprecated, step.is_major) for step in steps] == [(True, False), (False, True)]


def test_route_tells_that_a_tie_stands_in_its_way() -> None:
    entries = {"s": ["2.0.0 (R 1.1.0)", "1.1.0 (R 1.0.0)"]}
    other = [a_bundle(text, image=f"elsewhere/p:{text}") for text in ("1.1.0", "2.0.0")]
    route = route_of(a_request("1.0.0", version="2.0.0"), a_place(entries, name="a"), a_place(entries, other, name="b"))
    assert route.refusal == (
        'error upgrading from currently installed version "1.0.0": found bundles for package "p" matching version '
        '"1.1.0" in multiple catalogs with the same priority [a b]'
    )


def test_route_waits_for_catalogs_that_cannot_be_used() -> None:
    sick = CatalogProblem("sick", 9, "no route")
    assert route_of(a_request("0.1.1", version="0.1.3"), C1, sick).refusal == (
        'error walking catalogs: error getting package "p" from catalog "sick": no route'
    )


def test_route_tells_that_a_version_is_not_enough_to_ask_for_a_step() -> None:
    """`1.0.0` asks for its releases as well, and the highest of them is taken."""
    place = a_place({"s": ["1.0.0 (R 0.9.0)", "1.0.0+1 (R 0.9.0)", "2.0.0 (R 1.0.0)"]})
    assert route_of(a_request("0.9.0", version="2.0.0"), place).refusal == (
        'version "1.0.0" gives bundle "p.v1.0.0+1" instead of "p.v1.0.0"'
    )


def test_route_that_must_be_asked_for_step_by_step() -> None:
    """By itself the controller takes the highest successor, 1.2.0, from where nothing goes on."""
    place = a_place({"s": ["2.0.0 (R 1.1.0)", "1.2.0 (R 1.0.0)", "1.1.0 (R 1.0.0)", "1.0.0"]})
    route = route_of(a_request("1.0.0", version="2.0.0"), place)
    assert (pins(route), route.by_itself) == (["1.1.0", "2.0.0"], None)


def test_route_over_pre_releases_walks_without_a_range() -> None:
    place = a_place({"s": ["2.0.0 (R 1.5.0-rc.1)", "1.5.0-rc.1 (R 1.0.0)", "1.0.0"]})
    assert route_of(a_request("1.0.0", version="2.0.0"), place).by_itself == ""


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(a_request(version="0.1.3"), id="nothing installed"),
        pytest.param(a_request("0.1.1", version="9"), id="nothing fits"),
        pytest.param(a_request("0.1.3"), id="there already"),
        pytest.param(a_request("0.1.1", version="foo"), id="range unreadable"),
    ],
)
def test_route_is_not_needed(request_: Request) -> None:
    if request_.range_text == "foo":
        assert explained(request_, C1).cause is not None
        return
    assert explained(request_, C1).route is None
