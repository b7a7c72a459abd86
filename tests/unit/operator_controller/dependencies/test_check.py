"""The check as the reconciler asks it: dependencies.md 6, 8.1 and 10, with the tables 11.1 and 11.3."""

from __future__ import annotations

from typing import Any

import pytest

from olmv1.conditions import Condition
from olmv1.constraints import Property
from olmv1.served import Served
from operator_controller.dependencies import (
    Candidate,
    ClusterFacts,
    DependencyVerdict,
    InstalledExtension,
    Inventory,
    Mode,
    check,
    mode_of,
)
from tests.requirements import (
    BLUE,
    GREEN,
    a_candidate,
    an_api,
    an_extension,
    group,
    gvk,
    needs,
    needs_api,
    needs_package,
    package,
)

_B = ("b.example.com", "v1", "B")
_C = ("c.example.com", "v1", "C")
_BLUE = an_extension("blue", "1.2.0", an_api(BLUE))
_GREEN = an_extension("green", "0.9.0", an_api(GREEN))


def a_cluster(*extensions: InstalledExtension, **changes: Any) -> ClusterFacts:
    return ClusterFacts(Inventory(extensions or (_BLUE, _GREEN)), **changes)


def red(*properties: Property, **changes: Any) -> Candidate:
    return a_candidate("red", "1.0.0", *properties, **changes)


def the_message(verdict: DependencyVerdict) -> str:
    assert verdict.failure is not None
    assert verdict.failure.reason == "Blocked"
    return str(verdict.failure)


def test_check_lets_a_bundle_without_requirements_go() -> None:
    verdict = check(red(), Mode.CHECK, a_cluster())
    assert (verdict.failure, verdict.condition, verdict.warnings) == (None, None, ())


def test_check_lets_a_bundle_go_whose_requirements_are_met() -> None:
    verdict = check(red(needs_package("blue", ">=1.0.0"), needs_api(GREEN)), Mode.CHECK, a_cluster())
    assert (verdict.failure, verdict.warnings, verdict.is_held_for_requirements) == (None, (), False)
    assert verdict.condition == Condition(
        "DependenciesSatisfied", "True", "Satisfied", 'all dependencies of bundle "red.v1.0.0" are satisfied'
    )


def test_check_holds_with_every_unmet_part() -> None:
    constraint = group(
        "all",
        package("blue", ">=2.0.0", "Package blue is needed for the sky"),
        gvk(("yellows.example.com", "v1", "Yellow"), "Yellow/v1 is needed for the sun"),
        message="All are required for Red because it mixes",
    )
    verdict = check(red(needs_package("purple", ">0.0.0"), needs(constraint)), Mode.CHECK, a_cluster())
    text = (
        ":\n"
        '- package "purple" in version range ">0.0.0" (not installed)\n'
        "- All are required for Red because it mixes\n"
        '  - Package blue is needed for the sky: package "blue" in version range ">=2.0.0" '
        '(ClusterExtension "blue" has 1.2.0)\n'
        "  - Yellow/v1 is needed for the sun: API Yellow.v1.yellows.example.com (not provided on this cluster)"
    )
    assert the_message(verdict) == f'validating bundle "red.v1.0.0": unmet dependencies{text}'
    assert verdict.condition == Condition(
        "DependenciesSatisfied", "False", "Unsatisfied", f'bundle "red.v1.0.0": unmet dependencies{text}'
    )
    assert verdict.is_held_for_requirements
    assert verdict.wanted_packages == {"blue", "purple"}


def test_check_names_equal_lines_once() -> None:
    twice = [needs(group("any", package("purple", ">1.0.0"), message="a")) for _ in range(2)]
    other = needs(package("purple", ">1.0.0"))
    verdict = check(red(*twice, needs_package("purple", ">1.0.0"), other), Mode.CHECK, a_cluster())
    assert the_message(verdict).count("\n- ") == 2


def test_check_blocks_an_invalid_constraint_on_one_line() -> None:
    verdict = check(red(needs(group("all", {"unknown": 1}))), Mode.CHECK, a_cluster())
    text = (
        'bundle "red.v1.0.0": invalid dependency: olm.constraint[0].all.constraints[0]: unknown key "unknown": '
        "expected one of gvk, package, cel, all, any, not, failureMessage"
    )
    assert the_message(verdict) == f"validating {text}"
    assert verdict.condition == Condition("DependenciesSatisfied", "False", "InvalidConstraint", text)


def test_check_lists_invalid_constraints_before_unmet_ones() -> None:
    broken = Property("olm.label.required", {})
    verdict = check(red(needs_package("purple", ">0.0.0"), broken), Mode.CHECK, a_cluster())
    assert the_message(verdict) == (
        'validating bundle "red.v1.0.0": unmet dependencies:\n'
        "- invalid dependency: olm.label.required[0].label: expected text, found nothing\n"
        '- package "purple" in version range ">0.0.0" (not installed)'
    )
    both = check(red(broken, needs({})), Mode.CHECK, a_cluster())
    assert the_message(both).startswith('validating bundle "red.v1.0.0": invalid dependencies:\n- invalid dependency: ')


def test_check_with_warn_reports_and_goes_on() -> None:
    candidate = red(needs_package("purple", ">0.0.0"))
    held, warned = (check(candidate, mode, a_cluster()) for mode in (Mode.CHECK, Mode.WARN))
    assert (warned.failure, warned.is_held_for_requirements) == (None, False)
    assert warned.warnings == (the_message(held),)
    assert warned.condition == held.condition


def test_check_with_ignore_looks_at_nothing() -> None:
    cluster = a_cluster(an_extension("a", "1.0.0", needs_api(_B)), an_extension("red", "0.1.0", an_api(_B)))
    verdict = check(red(needs({}), an_api(_C)), Mode.IGNORE, cluster)
    assert (verdict.failure, verdict.warnings) == (None, ())
    assert verdict.condition == Condition(
        "DependenciesSatisfied",
        "Unknown",
        "NotEvaluated",
        'the dependencies of bundle "red.v1.0.0" are not evaluated: '
        'annotation extras.olm.operatorframework.io/dependencies is "Ignore"',
    )
    assert check(red(), Mode.IGNORE, cluster).condition is None


@pytest.mark.parametrize(
    ("value", "mode"),
    [(None, "Check"), ("Check", "Check"), ("Warn", "Warn"), ("Ignore", "Ignore"), ("ignore", "Check"), ("", "Check")],
)
def test_mode_is_read_from_the_annotation(value: str | None, mode: str) -> None:
    annotations = {} if value is None else {"extras.olm.operatorframework.io/dependencies": value}
    assert mode_of(annotations) == mode


def test_check_does_not_count_the_installed_bundle_of_the_extension() -> None:
    """S15."""
    verdict = check(a_candidate("blue", "2.0.0", needs_package("blue", "<2.0.0")), Mode.CHECK, a_cluster())
    assert the_message(verdict).endswith('(bundle "blue.v2.0.0" itself has 2.0.0)')


def test_check_does_not_count_apis_that_the_own_rollout_removes() -> None:
    cluster = a_cluster(served=Served("1.36.3", frozenset({BLUE})))
    verdict = check(a_candidate("blue", "2.0.0", needs_api(BLUE), an_api(_C)), Mode.CHECK, cluster)
    assert the_message(verdict).endswith("(no longer provided once this rollout is done)")
    kept = ClusterFacts(cluster.extensions, cluster.served, removed=frozenset())
    assert check(a_candidate("blue", "2.0.0", needs_api(BLUE), an_api(_C)), Mode.CHECK, kept).failure is None


def test_check_never_holds_what_is_installed() -> None:
    """R8: the provider was deleted, the condition tells at once."""
    verdict = check(red(needs_api(_B), is_installed=True), Mode.CHECK, a_cluster())
    assert (verdict.failure, verdict.is_held_for_requirements) == (None, False)
    assert verdict.condition == Condition(
        "DependenciesSatisfied",
        "False",
        "Unsatisfied",
        'installed bundle "red.v1.0.0": unmet dependencies:\n- API B.v1.b.example.com (not provided on this cluster)',
    )


def test_check_gives_a_condition_when_only_the_installed_bundle_requires_something() -> None:
    cluster = a_cluster(an_extension("red", "0.1.0", needs_api(_B)))
    condition = check(red(), Mode.CHECK, cluster).condition
    assert condition is not None
    assert (condition.status, condition.reason) == ("True", "Satisfied")


_A = an_extension("a", "1.0.0", needs_api(_B))
_OLD_B = an_extension("b", "1.0.0", an_api(_B))
_NEW_B = a_candidate("b", "2.0.0", an_api(_C))
_BREAKS = 'bundle "b.v2.0.0" would break ClusterExtension "a": bundle "a.v1.0.0" requires API B.v1.b.example.com'


@pytest.mark.parametrize("served", [Served("1.36.3", frozenset({_B})), Served("1.36.3")])
def test_check_holds_an_update_that_breaks_a_dependent(served: Served) -> None:
    """R1."""
    verdict = check(_NEW_B, Mode.CHECK, a_cluster(_A, _OLD_B, served=served))
    assert the_message(verdict) == _BREAKS
    assert verdict.condition is None
    assert check(_NEW_B, Mode.WARN, a_cluster(_A, _OLD_B, served=served)).warnings == (_BREAKS,)


def test_check_lets_an_update_go_when_another_extension_provides_the_api() -> None:
    """R2."""
    cluster = a_cluster(_A, _OLD_B, an_extension("d", "1.0.0", an_api(_B)), served=Served("", frozenset({_B})))
    assert check(_NEW_B, Mode.CHECK, cluster).failure is None


def test_check_holds_an_update_that_drops_a_served_version() -> None:
    """R9."""
    served = Served("1.36.3", frozenset({_B, ("b.example.com", "v2", "B")}))
    candidate = a_candidate("b", "2.0.0", an_api(("b.example.com", "v2", "B")))
    assert the_message(check(candidate, Mode.CHECK, a_cluster(_A, _OLD_B, served=served))) == _BREAKS
    rendered = a_cluster(_A, _OLD_B, served=served, removed=frozenset({_B}))
    assert the_message(check(candidate, Mode.CHECK, rendered)) == _BREAKS


def test_check_says_nothing_about_apis_that_a_silent_catalog_leaves_out() -> None:
    silent = a_candidate("b", "2.0.0")
    assert check(silent, Mode.CHECK, a_cluster(_A, _OLD_B, served=Served("", frozenset({_B})))).failure is None


def test_check_does_not_blame_an_update_for_what_is_broken_already() -> None:
    cluster = a_cluster(_A, an_extension("b", "1.0.0"))
    assert check(_NEW_B, Mode.CHECK, cluster).failure is None


def test_check_holds_an_install_that_another_extension_forbids() -> None:
    careful = an_extension("careful", "1.0.0", needs(group("not", gvk(_C))))
    assert the_message(check(_NEW_B, Mode.CHECK, a_cluster(careful))) == (
        'bundle "b.v2.0.0" would break ClusterExtension "careful": bundle "careful.v1.0.0" requires '
        "none of (API C.v1.c.example.com)"
    )


def test_check_says_what_is_unmet_and_what_breaks() -> None:
    candidate = a_candidate("b", "2.0.0", an_api(_C), needs_package("purple", ">0.0.0"))
    assert the_message(check(candidate, Mode.CHECK, a_cluster(_A, _OLD_B))) == (
        'validating bundle "b.v2.0.0": unmet dependencies:\n'
        '- package "purple" in version range ">0.0.0" (not installed)\n' + _BREAKS
    )


def test_check_decides_a_rule_over_properties_of_any_kind() -> None:
    """Two packages that say of themselves what no specification knows: a colour and a shape."""
    paint = an_extension("paint", "1.0.0", Property("color", "red"), Property("shape", {"sides": 4}))
    toy = an_extension("toy", "1.0.0", Property("color", "blue"), Property("shape", {"sides": 3}))
    rule = (
        "properties.exists(p, p.type == 'color' && p.value == 'blue') && "
        "properties.exists(p, p.type == 'shape' && p.value.sides > 3)"
    )
    picky = red(needs({"failureMessage": "needs a blue thing with corners", "cel": {"rule": rule}}))
    assert the_message(check(picky, Mode.CHECK, a_cluster(paint, toy))) == (
        'validating bundle "red.v1.0.0": unmet dependencies:\n'
        f"- needs a blue thing with corners (no installed extension satisfies the rule {rule})"
    )
    box = an_extension("box", "1.0.0", Property("color", "blue"), Property("shape", {"sides": 4}))
    verdict = check(picky, Mode.CHECK, a_cluster(paint, toy, box))
    assert verdict.failure is None
    assert verdict.evaluation.judgements[0].finding is not None
    assert verdict.evaluation.judgements[0].finding.by == ('ClusterExtension "box"',)
