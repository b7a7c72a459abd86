"""Table 11.3, R3 to R7, as decision 12 settles it."""

from __future__ import annotations

from collections.abc import Sequence

from olmv1.constraints import Property, Ruling
from olmv1.served import Served
from operator_controller.dependencies import Candidate, ClusterFacts, InstalledExtension, Inventory, Mode, check
from tests.requirements import a_candidate, an_api, an_extension, needs_api, needs_package, needs_rule

_A, _A2 = ("a.example.com", "v1", "A"), ("a.example.com", "v2", "A")
_B, _B2 = ("b.example.com", "v1", "B"), ("b.example.com", "v2", "B")
_OLD_A = an_extension("a", "1.0.0", an_api(_A), needs_api(_B))
_OLD_B = an_extension("b", "1.0.0", an_api(_B), needs_api(_A))
_NEW_A = a_candidate("a", "2.0.0", an_api(_A2), needs_api(_B2))
_NEW_B = a_candidate("b", "2.0.0", an_api(_B2), needs_api(_A2))
_SERVED = Served("1.36.3", frozenset({_A, _B}))


def companions(
    candidate: Candidate, extensions: tuple[InstalledExtension, ...], *held: Candidate
) -> tuple[Candidate, ...]:
    return check(candidate, Mode.CHECK, ClusterFacts(Inventory(extensions), _SERVED, held=held)).companions


def test_deadlock_of_two_is_recognised_on_both_sides() -> None:
    """R4 to R6: both are held, and say how to go on."""
    extensions = (_OLD_A, _OLD_B)
    assert companions(_NEW_A, extensions, _NEW_B) == (_NEW_B,)
    verdict = check(_NEW_B, Mode.CHECK, ClusterFacts(Inventory(extensions), _SERVED, held=(_NEW_A, _NEW_B)))
    assert str(verdict.failure) == (
        'validating bundle "b.v2.0.0": unmet dependencies:\n'
        "- API A.v2.a.example.com (not provided on this cluster)\n"
        'bundle "b.v2.0.0" would break ClusterExtension "a": bundle "a.v1.0.0" requires API B.v1.b.example.com\n'
        'can only be updated together with ClusterExtension "a" (bundle "a.v2.0.0"): set the annotation '
        'extras.olm.operatorframework.io/dependencies to "Warn" on each of them for the time of the update'
    )


def test_deadlock_when_the_dependent_moves_on_too() -> None:
    """R3."""
    dependent, provider = an_extension("a", "1.0.0", needs_api(_B)), an_extension("b", "1.0.0", an_api(_B))
    new_dependent, new_provider = a_candidate("a", "2.0.0", needs_api(_B2)), a_candidate("b", "2.0.0", an_api(_B2))
    assert companions(new_dependent, (dependent, provider), new_provider) == (new_provider,)
    assert companions(new_provider, (dependent, provider), new_dependent) == (new_dependent,)


def test_no_deadlock_when_a_third_extension_is_broken() -> None:
    """R7."""
    third = an_extension("third", "1.0.0", needs_api(_A))
    assert companions(_NEW_A, (_OLD_A, _OLD_B, third), _NEW_B) == ()
    assert companions(_NEW_B, (_OLD_A, _OLD_B, third), _NEW_A) == ()


def test_no_deadlock_when_the_others_do_not_help() -> None:
    missing = ("x.example.com", "v1", "X")
    assert companions(a_candidate("a", "2.0.0", needs_api(missing)), (_OLD_A, _OLD_B), _NEW_B) == ()
    assert companions(_NEW_A, (_OLD_A, _OLD_B)) == ()


def test_deadlock_names_nobody_who_could_be_left_out() -> None:
    bystanders = (a_candidate("c", "1.0.0", needs_api(_A2)), a_candidate("d", "1.0.0", needs_api(_B)))
    assert companions(_NEW_A, (_OLD_A, _OLD_B), *bystanders, _NEW_B) == (_NEW_B,)


def test_deadlock_is_not_looked_for_with_invalid_constraints() -> None:
    broken = a_candidate("a", "2.0.0", an_api(_A2), needs_api(("", "", "")))
    assert companions(broken, (_OLD_A, _OLD_B), _NEW_B) == ()


class CountingRules:
    """Rules that always hold, and how often they were asked."""

    asked = 0

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:
        self.asked += bool(rule)
        return Ruling(holds=(True,) * len(bundles), errors=("",) * len(bundles))


def test_deadlock_of_many_is_found_without_trying_whom_it_could_do_without() -> None:
    size, rules = 20, CountingRules()
    circle = [
        a_candidate(f"e{at:02}", "2.0.0", needs_package(f"e{(at + 1) % size:02}", ">=2.0.0"), needs_rule("true"))
        for at in range(size)
    ]
    extensions = Inventory(an_extension(f"e{at:02}", "1.0.0") for at in range(size))
    found = check(circle[0], Mode.CHECK, ClusterFacts(extensions, _SERVED, held=circle[1:], rules=rules)).companions
    assert (found, rules.asked <= 2 * size) == (tuple(circle[1:]), True)
