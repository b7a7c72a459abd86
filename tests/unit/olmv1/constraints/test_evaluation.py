"""The tables of dependencies.md 11.1: simple requirements."""

from __future__ import annotations

import pytest

from olmv1.constraints import Facts, Index, Property, Provider, evaluate, requirements_of
from olmv1.served import Served
from tests.requirements import (
    BLUE,
    GREEN,
    a_provider,
    a_world,
    an_api,
    blue,
    green,
    needs,
    needs_api,
    needs_package,
    needs_rule,
)

_CERT = ("cert-manager.io", "v1", "Certificate")
_SERVED = Served("1.36.3", frozenset({_CERT, ("apps", "v1", "Deployment")}))
_X = ("x.example.com", "v1", "X")
_OLD = needs_package("blue", ">=4.9.0-202112142229")


def the_answer(requirement: Property, facts: Facts) -> tuple[bool, tuple[str, ...], str]:
    (judgement,) = evaluate(requirements_of([requirement]), facts).judgements
    assert judgement.finding is not None
    return judgement.is_met, judgement.finding.by, judgement.finding.found


@pytest.mark.parametrize(
    ("requirement", "facts", "by"),
    [
        pytest.param(needs_package("blue", ">=1.0.0"), a_world(), "blue", id="S1"),
        pytest.param(needs_package("blue", "24.3.0"), a_world(blue("24.3.0")), "blue", id="S6"),
        pytest.param(needs_package("blue", ">=1.0.0"), a_world(blue("1.5.0-rc.1")), "blue", id="S7"),
        pytest.param(_OLD, a_world(blue("4.9.0-202203091310")), "blue", id="S8"),
        pytest.param(needs_api(BLUE), a_world(), "blue", id="S9"),
        pytest.param(
            Property("olm.label.required", {"label": "gpu"}),
            a_world(blue(), green("0.9.0", Property("olm.label", {"label": "gpu"}))),
            "green",
            id="S16",
        ),
        pytest.param(needs_package("blue", "1.2.0"), a_world(blue("1.2.0+build.7")), "blue", id="build metadata"),
    ],
)
def test_requirement_is_met_by_an_extension(requirement: Property, facts: Facts, by: str) -> None:
    assert the_answer(requirement, facts) == (True, (f'ClusterExtension "{by}"',), "")


@pytest.mark.parametrize(
    ("requirement", "facts", "found"),
    [
        pytest.param(
            needs_package("blue", ">=2.0.0"), a_world(), 'ClusterExtension "blue" has 1.2.0', id="S2"
        ),
        pytest.param(
            needs_package("blue", ">=1.0.0 <1.2.0"), a_world(), 'ClusterExtension "blue" has 1.2.0', id="S3"
        ),
        pytest.param(needs_package("purple", ">0.0.0"), a_world(), "not installed", id="S4"),
        pytest.param(
            needs_api(("blues.example.com", "v1beta1", "Blue")), a_world(), "not provided on this cluster", id="S10"
        ),
        pytest.param(needs_api(_CERT), a_world(), "not provided on this cluster", id="S12"),
        pytest.param(
            needs_package("purple", ">0.0.0"),
            a_world(Provider("purple", "", "purple")),
            'ClusterExtension "purple" is not installed yet',
            id="S18",
        ),
        pytest.param(
            Property("olm.label.required", {"label": "gpu"}), a_world(), "no installed extension has it", id="label"
        ),
        pytest.param(
            needs_package("blue", ">0.0.0"), a_world(blue("new")), 'ClusterExtension "blue" has new', id="no version"
        ),
        pytest.param(
            needs_api(GREEN),
            a_world(blue(), Provider("green", "green.v1", "green", "1.0.0", None)),
            'not provided on this cluster; what ClusterExtension "green" provides is not known',
            id="unknown facts",
        ),
    ],
)  # fmt: skip
def test_requirement_is_unmet(requirement: Property, facts: Facts, found: str) -> None:
    assert the_answer(requirement, facts) == (False, (), found)


@pytest.mark.parametrize("api", [_CERT, ("apps", "v1", "Deployment")], ids=["S11", "S13"])
def test_requirement_is_met_by_the_cluster(api: tuple[str, str, str]) -> None:
    assert the_answer(needs_api(api), a_world(served=_SERVED)) == (True, ("the cluster",), "")


def test_requirement_is_not_met_by_an_api_that_goes_away() -> None:
    facts = Facts(Index(()), _SERVED, frozenset({_CERT}))
    assert the_answer(needs_api(_CERT), facts) == (False, (), "no longer provided once this rollout is done")


def test_requirement_is_met_by_the_candidate_itself() -> None:
    """S14."""
    itself = Provider("", "x.v1.0.0", "x", "1.0.0", (an_api(_X),))
    assert the_answer(needs_api(_X), a_world(itself)) == (True, ('bundle "x.v1.0.0" itself',), "")


def test_requirement_is_invalid() -> None:
    """S5."""
    evaluation = evaluate(requirements_of([needs_package("blue", "~1")]), a_world())
    (sentence,) = evaluation.invalid
    assert sentence.startswith('invalid dependency: olm.package.required[0].versionRange: invalid version range "~1": ')
    assert (evaluation.is_met, evaluation.unmet) == (False, ())


def test_requirements_are_all_looked_at() -> None:
    """S17."""
    found = evaluate(requirements_of([needs_package("purple", ">0.0.0"), needs_api(_X), needs_api(BLUE)]), a_world())
    assert [each.requirement.source for each in found.unmet] == ["olm.package.required[0]", "olm.gvk.required[0]"]


@pytest.mark.parametrize(
    ("cluster", "expected"),
    [
        ("1.28.0", (True, ("the cluster",), "")),
        ("1.28.0-gke.1", (True, ("the cluster",), "")),
        ("1.27.4", (False, (), "the cluster has 1.27.4")),
        ("", (True, (), "")),
    ],
)
def test_requirement_of_a_kubernetes_version(cluster: str, expected: tuple[bool, tuple[str, ...], str]) -> None:
    wanted = Property("olm.kubeversion", {"version": "1.28.0"})
    assert the_answer(wanted, Facts(Index(()), Served(cluster))) == expected


def test_rule_is_met_by_one_bundle() -> None:
    """K17, and the errors of the others."""
    facts = a_world(blue(), green("0.9.0", Property("certified", True)))
    rule = needs_rule("properties.exists(p, p.type == 'certified' && p.value)")
    assert the_answer(rule, facts) == (True, ('ClusterExtension "green"',), "")


def test_rule_is_unmet_and_says_what_failed() -> None:
    (judgement,) = evaluate(requirements_of([needs_rule("properties[0].nope  == 1")]), a_world(blue())).judgements
    assert judgement.finding is not None
    assert judgement.finding.found == "no installed extension satisfies the rule properties[0].nope == 1"
    assert judgement.finding.remarks == ('ClusterExtension "blue": no such key: nope',)


def test_rule_that_is_none_is_invalid_with_its_path() -> None:
    """K19."""
    value = {"any": {"constraints": [{"cel": {"rule": "true"}}, {"not": {"constraints": [{"cel": {"rule": "1"}}]}}]}}
    evaluation = evaluate(requirements_of([needs(value)]), a_world())
    assert evaluation.invalid == (
        "invalid dependency: olm.constraint[0].any.constraints[1].not.constraints[0].cel.rule: "
        "cel expressions must have type Bool",
    )
    assert not evaluation.is_met


def test_package_of_a_bundle_without_a_recorded_identity_is_in_its_properties() -> None:
    own = Property("olm.package", {"packageName": "blue", "version": "1.2.0"})
    facts = a_world(Provider("sky", "blue.v1.2.0", properties=(own,)))
    assert the_answer(needs_package("blue", ">1.0.0"), facts) == (True, ('ClusterExtension "sky"',), "")


def test_several_versions_of_a_package_are_all_named() -> None:
    facts = a_world(blue("0.1.0"), a_provider("blue", "0.2.0"))
    found = the_answer(needs_package("blue", ">1.0.0"), facts)[2]
    assert found == 'ClusterExtension "blue" has 0.1.0 and ClusterExtension "blue" has 0.2.0'
