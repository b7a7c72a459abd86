"""The rules that make the difference. Rule: resolution.md 15, "Test rows"."""

from __future__ import annotations

import pytest

from operator_controller.explanation import Classic, Rule
from operator_controller.resolver import CatalogContent, Request
from tests.explanations import C1, C2, C5, C9, C10, a_place, a_request, explained


def classic_of(request: Request, *catalogs: CatalogContent) -> Classic:
    found = explained(request, *catalogs).classic
    assert found is not None
    return found


def rules_of(request: Request, *catalogs: CatalogContent) -> list[Rule]:
    return [difference.rule for difference in classic_of(request, *catalogs).differences]


@pytest.mark.parametrize(
    ("request_", "place", "rules"),
    [
        pytest.param(a_request(), C1, [Rule.DEFAULT_CHANNEL], id="C1a"),
        pytest.param(a_request("0.1.3", channels=["alpha"]), C1, [Rule.NO_ERROR], id="C1h"),
        pytest.param(
            a_request(version="0.9.1"), C2, [Rule.SKIPPED_ENTRY, Rule.OFF_CHAIN, Rule.VERSION_RANGE], id="C2d"
        ),
        pytest.param(
            a_request("0.9.0", version="<0.9.2"),
            C2,
            [Rule.SKIPPED_ENTRY, Rule.OFF_CHAIN, Rule.VERSION_RANGE],
            id="C2e",
        ),
        pytest.param(a_request("1.0.0"), C5, [Rule.SKIPPED_ENTRY, Rule.OFF_CHAIN], id="C5 first row"),
        pytest.param(a_request("3.3.9"), C9, [Rule.PRERELEASE_ORDER], id="C9"),
        pytest.param(a_request("3.0.0"), C10, [Rule.NO_ROLLBACK], id="C10"),
    ],
)
def test_differences_are_those_of_the_specification(
    request_: Request, place: CatalogContent, rules: list[Rule]
) -> None:
    assert rules_of(request_, place) == rules


def test_differences_name_the_other_catalog() -> None:
    places = (
        a_place({"stable": ["1.0.0"]}, name="a", priority=1),
        a_place({"stable": ["1.1.0"]}, name="b"),
    )
    classic = classic_of(a_request(), *places)
    assert (classic.bundle, classic.is_same) == ("p.v1.0.0", True)
    assert [(each.rule, each.text) for each in classic.differences] == [
        (
            Rule.OTHER_CATALOG,
            'a Subscription that names catalog b gets "p.v1.1.0"; here priorities decide',
        )
    ]


def test_same_choice_has_no_differences() -> None:
    classic = classic_of(a_request("0.1.1", channels=["beta"]), C1)
    assert (classic.bundle, classic.is_same, classic.differences) == ("p.v0.1.2", True, ())


def test_respin_is_the_same_choice_and_says_what_the_reference_does() -> None:
    classic = classic_of(a_request("3.3.9"), C9)
    assert (classic.bundle, classic.is_same, classic.differences[0].text) == (
        "p.v3.3.9-operator.1",
        True,
        "3.3.9-operator.1 is lower than 3.3.9 as versions go: the Go reference would stay, both of us follow the edge",
    )


@pytest.mark.parametrize(
    ("request_", "place", "rule", "text"),
    [
        pytest.param(
            a_request(),
            a_place({"stable": ["2.0.0 (R 1.0.0)", "1.0.0"]}, deprecated=["2.0.0"]),
            Rule.DEPRECATION,
            '"p.v2.0.0" is deprecated, and deprecated bundles come last here',
            id="deprecated head",
        ),
        pytest.param(
            a_request(),
            a_place({"stable": ["1.0.0 (R 1.1.0-rc.1)", "1.1.0-rc.1"]}),
            Rule.HEAD,
            "OLM Classic takes what is nearest to the head of channel stable and compares no versions; "
            "here the highest version wins, 1.1.0-rc.1",
            id="pre-release below the head",
        ),
        pytest.param(
            a_request("1.0.0", version="3.0.0", policy="SelfCertified"),
            a_place({"stable": ["3.0.0 (R 2.0.0)", "2.0.0", "1.0.0 (R 3.0.0)"]}),
            Rule.SELF_CERTIFIED,
            "the policy SelfCertified needs no edges; OLM Classic has nothing like it",
            id="no edge",
        ),
        pytest.param(
            a_request("1.0.0", channels=["a", "b"]),
            a_place({"a": ["2.0.0 (R 1.0.0)", "1.0.0"], "b": ["3.0.0 (R 1.0.0)", "1.0.0"]}),
            Rule.ONE_CHANNEL,
            'a Subscription has one channel, a; "p.v3.0.0" is in another one of the request',
            id="several channels",
        ),
        pytest.param(
            a_request(),
            a_place({}, ["1.0.0"]),
            Rule.NO_CHANNEL,
            "the package has no channels, and OLM Classic sees bundles in channels only",
            id="no channels",
        ),
        pytest.param(
            a_request("1.0.0", hold_major=True),
            a_place({"stable": ["2.0.0 (R 1.0.0)"]}),
            Rule.CLUSTER,
            'rule "major version" removes "p.v2.0.0" here: '
            "version 2.0.0 leaves the held major version of the installed 1.0.0",
            id="held major version",
        ),
        pytest.param(
            a_request("3.0.0"),
            a_place({"stable": ["2.0.0 (R 3.0.0)"]}),
            Rule.NO_ROLLBACK,
            "OLM Classic follows the edge to the lower version 2.0.0; here nothing goes back by itself",
            id="refused rollback",
        ),
    ],
)
def test_difference_explains(request_: Request, place: CatalogContent, rule: Rule, text: str) -> None:
    first = classic_of(request_, place).differences[0]
    assert (first.rule, first.text) == (rule, text)


def test_tie_is_no_question_for_classic() -> None:
    places = (a_place({"s": ["1.0.0"]}, name="a"), a_place({"s": ["2.0.0"]}, name="b"))
    assert rules_of(a_request(), *places) == [Rule.CATALOGS_TIED, Rule.OTHER_CATALOG]


def test_bundle_of_another_catalog_than_the_installed_one() -> None:
    places = (
        a_place({"s": ["2.0.0 (R 1.0.0)"]}, name="a", priority=9),
        a_place({"s": ["1.1.0 (R 1.0.0)", "1.0.0"]}, name="b"),
    )
    classic = classic_of(a_request("1.0.0", catalog="b"), *places)
    assert (classic.catalog, classic.bundle) == ("b", "p.v1.1.0")
    assert classic.differences[0].text == 'a Subscription names one catalog, b; here "p.v2.0.0" comes from a'
