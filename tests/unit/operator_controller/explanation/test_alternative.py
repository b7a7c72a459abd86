from __future__ import annotations

import pytest

from operator_controller.explanation import Alternative
from operator_controller.resolver import CatalogContent, Request
from tests.explanations import C1, a_place, a_request, explained
from tests.packages import a_catalog

LINE = a_place({"stable": ["2.0.0 (R 1.0.0)", "1.0.0"], "next": ["3.0.0-rc.1"]}, default="stable")
SELF = {"upgradeConstraintPolicy": "SelfCertified"}
UNVOUCHED = "no edge of a catalog vouches for this step"


def told(request: Request, *places: CatalogContent) -> list[tuple[str, str, int]]:
    return [(each.change, each.version, each.steps) for each in explained(request, *places).alternatives]


def test_alternative_is_whole() -> None:
    found = explained(a_request("0.1.3", version="0.1.1"), C1).alternatives
    assert found[:1] == (
        Alternative("set upgradeConstraintPolicy to SelfCertified", "p.v0.1.1", "0.1.1", "cat", 1, SELF, UNVOUCHED),
    )


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        pytest.param(
            a_request(version=">2.0"),
            [
                ('admit pre-releases with version ">=2.1.0-0"', "3.0.0-rc.1", 1),
                ('ask for version "2.0.0"', "2.0.0", 1),
            ],
            id="hidden pre-releases",
        ),
        pytest.param(
            a_request(version="9"),
            [('ask for version "2.0.0"', "2.0.0", 1), ("ask for no version", "3.0.0-rc.1", 1)],
            id="no such version",
        ),
        pytest.param(
            a_request("1.0.0", channels=["next"]),
            [
                ('allow channel "stable" as well', "2.0.0", 1),
                ("set upgradeConstraintPolicy to SelfCertified", "3.0.0-rc.1", 1),
            ],
            id="installed bundle in another channel",
        ),
        pytest.param(a_request(channels=["stabel"]), [("ask for channels [stable]", "2.0.0", 1)], id="misspelt"),
        pytest.param(
            a_request("1.0.0", version="2.0.0", hold_major=True),
            [("stop holding the major version", "2.0.0", 1), ("ask for no version", "1.0.0", 0)],
            id="held major version",
        ),
    ],
)
def test_alternatives_were_tried(request_: Request, expected: list[tuple[str, str, int]]) -> None:
    found = told(request_, LINE)
    assert found[: len(expected)] == expected


def test_alternative_may_take_several_steps() -> None:
    place = a_place({"a": ["1.0.0"], "b": ["3.0.0 (R 2.0.0)", "2.0.0 (R 1.0.0)"]})
    assert told(a_request("1.0.0", version="3.0.0", channels=["a"]), place)[0] == (
        'allow channel "b" as well',
        "3.0.0",
        2,
    )


def test_tie_is_settled_by_choosing_a_catalog() -> None:
    places = [a_place({}, [text], name=name) for name, text in (("a", "1.0.0"), ("b", "2.0.0"))]
    found = explained(a_request(), *places).alternatives
    selector = {"selector": {"matchLabels": {"olm.operatorframework.io/metadata.name": "b"}}}
    assert [(each.change, each.bundle, each.catalog) for each in found] == [
        ("select catalog b alone, or raise its priority", "p.v2.0.0", "b"),
        ("select catalog a alone, or raise its priority", "p.v1.0.0", "a"),
    ]
    assert found[0].spec == selector


@pytest.mark.parametrize("request_", [a_request(version="foo"), a_request("pea.vbad"), a_request("2.0.0")])
def test_nothing_is_proposed_where_nothing_helps_or_nothing_is_wrong(request_: Request) -> None:
    assert explained(request_, LINE).alternatives == ()


def test_nothing_is_proposed_for_an_unknown_package() -> None:
    assert explained(a_request(version="1"), a_catalog(None)).alternatives == ()
