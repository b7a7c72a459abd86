"""The table of dependencies.md 11.2: the documented meaning of compounds, and what OLM Classic makes of them."""

from __future__ import annotations

import pytest

from olmv1.constraints import ClassicResult, Facts, Index, Property, classic_of, evaluate, lines_of, requirements_of
from olmv1.served import Served
from tests.requirements import BLUE, GREEN, a_world, an_api, blue, green, group, gvk, needs, needs_api, package

_BETA = ("blues.example.com", "v1beta1", "Blue")
_BETA2 = ("blues.example.com", "v1beta2", "Blue")
_ALPHA = ("blues.example.com", "v1alpha1", "Blue")
_GREENS = ("greens.example.com", "v1alpha1", "greens")
_K1 = group("all", package("blue", ">=1.0.0"), gvk(GREEN))
_K4 = group("any", gvk(_BETA), gvk(_BETA2), gvk(BLUE))
_K6 = group("all", package("blue", ">=1.0.0"), group("not", gvk(_GREENS)))
_K8 = group(
    "any",
    group("all", package("blue", ">=1.0.0"), gvk(BLUE)),
    group("all", package("blue", "<1.0.0"), gvk(_BETA)),
)
_CERTIFIED = {"cel": {"rule": 'properties.exists(p, p.type == "certified")'}}
_BOTH = {"cel": {"rule": 'properties.exists(p, p.type == "certified") && properties.exists(p, p.type == "stable")'}}
_NOBODY = "OLM Classic would not accept it because no single bundle satisfies the whole constraint"
_WORLD = a_world()


@pytest.mark.parametrize(
    ("constraint", "facts", "is_met", "classic", "note"),
    [
        pytest.param(_K1, _WORLD, True, "unmet", _NOBODY, id="K1"),
        pytest.param(_K1, a_world(blue("1.2.0", an_api(BLUE), an_api(GREEN)), green()), True, "met", "", id="K2"),
        pytest.param(_K1, a_world(blue()), False, "unmet", "", id="K3"),
        pytest.param(_K4, _WORLD, True, "met", "", id="K4"),
        pytest.param(_K4, a_world(blue("1.2.0", an_api(_ALPHA))), False, "unmet", "", id="K5"),
        pytest.param(_K6, _WORLD, True, "met", "", id="K6"),
        pytest.param(
            _K6,
            a_world(blue(), green("0.9.0", an_api(_GREENS))),
            False,
            "met",
            'OLM Classic would accept it because ClusterExtension "blue" alone satisfies the whole constraint',
            id="K7",
        ),
        pytest.param(_K8, _WORLD, True, "met", "", id="K8"),
        pytest.param(_K8, a_world(blue("0.9.0", an_api(_BETA)), green()), True, "met", "", id="K9"),
        pytest.param(_K8, a_world(blue("0.9.0", an_api(BLUE)), green()), False, "unmet", "", id="K10"),
        pytest.param(group("not", package("purple", ">=0.0.0")), _WORLD, True, "met", "", id="K11"),
        pytest.param(
            group("not", package("blue", ">=1.0.0")),
            _WORLD,
            False,
            "met",
            'OLM Classic would accept it because ClusterExtension "green" alone satisfies the whole constraint',
            id="K12",
        ),
        pytest.param(
            {"package": {"name": "blue", "versionRange": ">=1.0.0"}},
            _WORLD,
            True,
            "error",
            'OLM Classic would fail the whole namespace: json: unknown field "name"',
            id="K14",
        ),
        pytest.param(_CERTIFIED, a_world(green("0.9.0", Property("certified", True))), True, "met", "", id="K17"),
        pytest.param(
            _BOTH,
            a_world(blue("1.2.0", Property("stable", True)), green("0.9.0", Property("certified", True))),
            False,
            "unmet",
            "",
            id="K18",
        ),
    ],
)  # fmt: skip
def test_compound_over_the_set_and_in_classic(
    constraint: object, facts: Facts, is_met: bool, classic: str, note: str
) -> None:
    (judgement,) = evaluate(requirements_of([needs(constraint)]), facts).judgements
    found = classic_of(judgement, facts)
    assert (judgement.is_met, str(found.result), found.note) == (is_met, classic, note)


@pytest.mark.parametrize(
    ("constraint", "result", "note"),
    [
        (group("all"), "met", 'OLM Classic would take an empty "all" as satisfied by every bundle'),
        (group("any"), "unmet", 'OLM Classic would take an empty "any" as satisfied by none'),
        ({}, "error", "OLM Classic would fail the whole namespace: constraint is empty"),
        ({"failureMessage": "x"}, "error", "OLM Classic would fail the whole namespace: constraint is empty"),
        ({**gvk(BLUE), **_CERTIFIED}, "met", 'OLM Classic would look at "gvk" only'),
        ({**package("blue", "~"), **_CERTIFIED}, "error", ""),
        ({"unknown": {}}, "error", 'OLM Classic would fail the whole namespace: json: unknown field "unknown"'),
        ({"cel": {"rule": "1"}}, "error", ""),
        ([], "error", ""),
        (
            {"cel": {"rule": "x" * 131_072}},
            "error",
            "OLM Classic would fail the whole namespace: "
            "olm.constraint value is greater than max constraint size 131072 bytes",
        ),
    ],
)  # fmt: skip
def test_invalid_constraint_and_what_classic_makes_of_it(constraint: object, result: str, note: str) -> None:
    """K13, K16, K19."""
    (judgement,) = evaluate(requirements_of([needs(constraint)]), _WORLD).judgements
    found = classic_of(judgement, _WORLD)
    assert (bool(judgement.errors), str(found.result), found.note) == (True, result, note)


def test_classic_counts_only_bundles() -> None:
    facts = a_world(served=Served("1.36.3", frozenset({_BETA})))
    (judgement,) = evaluate(requirements_of([needs_api(_BETA)]), facts).judgements
    assert classic_of(judgement, facts).note == (
        "OLM Classic would not accept it because it counts only APIs that an installed bundle provides"
    )


def test_classic_ignores_kubernetes() -> None:
    (judgement,) = evaluate(requirements_of([Property("olm.kubeversion", "9.0.0")]), _WORLD).judgements
    assert classic_of(judgement, _WORLD).result is ClassicResult.IGNORED


def test_classic_and_we_agree_on_labels() -> None:
    facts = a_world(blue("1.0.0", Property("olm.label", {"label": "gpu"})))
    (judgement,) = evaluate(requirements_of([Property("olm.label.required", {"label": "gpu"})]), facts).judgements
    assert (judgement.is_met, classic_of(judgement, facts).note) == (True, "")


@pytest.mark.parametrize(
    ("constraint", "facts", "lines"),
    [
        pytest.param(
            _K1, a_world(blue()), ["- API Green.v1.greens.example.com (not provided on this cluster)"], id="K3"
        ),
        pytest.param(
            _K4,
            a_world(blue("1.2.0", an_api(_ALPHA))),
            [
                "- one of:",
                "  - API Blue.v1beta1.blues.example.com (not provided on this cluster)",
                "  - API Blue.v1beta2.blues.example.com (not provided on this cluster)",
                "  - API Blue.v1.blues.example.com (not provided on this cluster)",
            ],
            id="K5",
        ),
        pytest.param(
            _K6,
            a_world(blue(), green("0.9.0", an_api(_GREENS))),
            ['- must not be present: API greens.v1alpha1.greens.example.com (provided by ClusterExtension "green")'],
            id="K7",
        ),
        pytest.param(
            _K8,
            a_world(blue("2.0.0", an_api(_ALPHA))),
            [
                "- one of:",
                "  - API Blue.v1.blues.example.com (not provided on this cluster)",
                "  - all of:",
                '    - package "blue" in version range "<1.0.0" (ClusterExtension "blue" has 2.0.0)',
                "    - API Blue.v1beta1.blues.example.com (not provided on this cluster)",
            ],
            id="groups stay together",
        ),
        pytest.param(
            group("all", group("any", gvk(_BETA, "beta"), package("p", ">1.0.0", "p"), message="two"), message="one"),
            _WORLD,
            [
                "- one",
                "  - two: one of:",
                "    - beta: API Blue.v1beta1.blues.example.com (not provided on this cluster)",
                '    - p: package "p" in version range ">1.0.0" (not installed)',
            ],
            id="K15",
        ),
        pytest.param(
            group("not", group("all", gvk(BLUE), gvk(GREEN), message="both"), message="no"),
            _WORLD,
            [
                "- no: both: must not be present: all of (API Blue.v1.blues.example.com, "
                'API Green.v1.greens.example.com) (provided by ClusterExtension "blue", ClusterExtension "green")'
            ],
            id="compound in a not",
        ),
        pytest.param(
            _BOTH,
            _WORLD,
            [
                f"- {_BOTH['cel']['rule']} (no installed extension satisfies the rule {_BOTH['cel']['rule']})",
            ],
            id="rule without message",
        ),
    ],
)
def test_lines_show_every_unmet_part(constraint: object, facts: Facts, lines: list[str]) -> None:
    (judgement,) = evaluate(requirements_of([needs(constraint)]), facts).judgements
    assert judgement.finding is not None
    assert list(lines_of(judgement.finding)) == lines


def test_lines_of_kubernetes_have_no_brackets() -> None:
    facts = Facts(Index(()), Served("1.27.4"))
    (judgement,) = evaluate(requirements_of([Property("olm.kubeversion", "1.28")]), facts).judgements
    assert judgement.finding is not None
    assert list(lines_of(judgement.finding)) == ["- Kubernetes >= 1.28.0 is required, the cluster has 1.27.4"]
