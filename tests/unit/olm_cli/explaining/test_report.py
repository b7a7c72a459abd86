"""Sections of the report that the whole reports of `test_explain` do not have."""

from __future__ import annotations

from olm_cli.explaining import blocks_of
from olm_cli.output.plain import plain_lines
from operator_controller.resolver import CatalogContent, CatalogProblem, Request
from tests.explanations import C1, C10, a_place, a_request, explained
from tests.packages import a_bundle

DEAD_END = a_place({"s": ["2.0.0 (R 1.1.0)", "1.2.0 (R 1.0.0)", "1.1.0 (R 1.0.0)", "1.0.0"]})


def report(request: Request, *catalogs: CatalogContent | CatalogProblem) -> str:
    return "\n".join(plain_lines(blocks_of("lantern", explained(request, *catalogs), ["look"], is_whole=False)))


def section(title: str, request: Request, *catalogs: CatalogContent | CatalogProblem) -> list[str]:
    parts = {part.partition("\n")[0]: part for part in report(request, *catalogs).split("\n\n")}
    return parts[title].splitlines()[1:]


def test_answer_names_the_extension_and_gives_hints() -> None:
    answer = report(a_request("0.1.3"), C1).split("\n\n")[0]
    assert answer.splitlines() == [
        "lantern: stays on what is installed",
        '  The extension stays on the installed "p.v0.1.3": it fits, and no better bundle is a successor of it.',
        "  hint: look",
    ]


def test_request_tells_everything_that_is_asked() -> None:
    request = a_request("1.0.0+2", version=">=1", channels=["a", "b"], hold_major=True, catalog="here")
    assert section("Request", request, a_place({"a": ["1.0.0+2"]}))[:6] == [
        "package:      p",
        "version:      >=1 = [1.0.0, ∞)",
        "channels:     a, b",
        "policy:       CatalogProvided",
        "hold-major:   true",
        "installed:    p.v1.0.0+2 (1.0.0+2, from here)",
    ]


def test_route_that_is_walked_step_by_step_says_so() -> None:
    assert section("Shortest route to 2.0.0: 2 steps", a_request("1.0.0", version="2.0.0"), DEAD_END)[-1] == (
        "  ask for one step after the other in spec.source.catalog, the next when one is installed: "
        'first version: "1.1.0"'
    )


def test_route_that_is_refused_says_why() -> None:
    sick = CatalogProblem("sick", 9, "no route")
    assert section("Shortest route to 2.0.0: 2 steps", a_request("1.0.0", version="2.0.0"), DEAD_END, sick)[-1] == (
        "  a step of it is refused all the same: error walking catalogs: "
        'error getting package "p" from catalog "sick": no route'
    )


def test_route_to_the_best_that_can_be_reached() -> None:
    place = a_place({"s": ["3.0.0", "2.0.0 (R 1.1.0)", "1.1.0 (R 1.0.0)", "1.0.0"]})
    assert section("Route to 3.0.0: none", a_request("1.0.0", version=">=2"), place) == [
        "  no edges of the channels that count lead from what is installed to p.v3.0.0",
        "  the best that fits and can be reached is p.v2.0.0:",
        "STEP   VERSION   BUNDLE     EDGE            REMARK",
        "1      1.1.0     p.v1.1.0   replaces in s",
        "2      2.0.0     p.v2.0.0   replaces in s   crosses a major version",
        '  with version: ">=1.0.0 <=2.0.0" in spec.source.catalog the controller walks there by itself',
    ]


def test_next_upgrades_end_with_a_refusal() -> None:
    """What is deprecated gives way, and then nothing decides between two catalogs."""
    tied = [a_place({"s": ["3.0.0 (R 2.0.0)"]}, [a_bundle("3.0.0", image=name)], name=name) for name in ("b", "c")]
    first = a_place({"s": ["2.0.0 (R 1.0.0)"]}, name="a", deprecated=["2.0.0"])
    assert section("Next upgrades", a_request("1.0.0"), first, *tied) == [
        "STEP   VERSION   BUNDLE     EDGE            REMARK",
        "1      2.0.0     p.v2.0.0   replaces in s   deprecated; crosses a major version",
        '  then it is refused: error upgrading from currently installed version "2.0.0": '
        'found bundles for package "p" in multiple catalogs with the same priority [b c]',
    ]


def test_catalogs_name_what_settled_it_and_edges_that_nobody_can_read() -> None:
    low = a_place({"s": ["1.0.0 (SR <v1)"]}, name="low", priority=-1)
    found = section("Catalogs", a_request(), C1, low)
    assert found[-2:] == [
        "  priority 0 decides",
        '  catalog low: skipRange "<v1" of p.v1.0.0 in channel s is ignored: '
        'Could not parse Range "<v1": Could not parse comparator "<v" in "<v1"',
    ]


def test_classic_shows_its_failure_and_its_documents() -> None:
    failed = section("OLM Classic", a_request("1.0.0"), DEAD_END)
    assert failed[1].startswith("would:          fail: a unique replacement chain within a channel is required")
    other = a_place({"s": ["4.0.0 (SR <4.0.0)"]}, name="other", priority=-1)
    stays = section("OLM Classic", a_request("3.0.0", catalog="cat"), C10, other)
    assert stays[0] == "subscription:   catalog cat, channel stable"
    own = a_place({"s": ["3.0.0"]}, name="own")
    documented = section("OLM Classic", a_request("3.0.0", catalog="own"), own, other)
    assert (
        'documented:     step 3: the head of catalog other, "p.v4.0.0"; its resolver does not look there' in documented
    )


def test_classic_cuts_many_channels() -> None:
    place = a_place({f"c{number}": ["1.0.0"] for number in range(12)})
    assert section("OLM Classic", a_request(), place)[-1] == "  and 4 more: show them with --all"
