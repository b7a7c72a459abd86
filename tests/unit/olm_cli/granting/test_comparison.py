from __future__ import annotations

from olm_cli.granting import Comparison
from olm_cli.output import Line
from operator_controller.authorization import Account, Right, Surplus, compacted

ACCOUNT = Account("shop", "installer")
PODS = compacted([Right("shop", "", "pods", "", "get")])
JOBS = compacted([Right("", "batch", "jobs", "", "*")])


def lines(found: Comparison) -> list[str]:
    return [" " * block.indent + block.text for block in found.blocks if isinstance(block, Line)]


def test_comparison_says_what_is_missing_in_the_lines_of_the_condition() -> None:
    found = Comparison(ACCOUNT, True, ("1.0.0",), PODS)
    assert lines(found) == ["missing:", '  Namespace:"shop" APIGroups:[] Resources:[pods] Verbs:[get]']
    assert (found.is_enough, found.to_json) == (
        False,
        {
            "serviceAccount": {"namespace": "shop", "name": "installer", "exists": True},
            "versions": ["1.0.0"],
            "missing": [{"namespace": "shop", "apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}],
            "message": "pre-authorization failed: service account requires the following permissions to manage cluster "
            'extension:\n  Namespace:"shop" APIGroups:[] Resources:[pods] Verbs:[get]',
        },
    )


def test_comparison_tells_when_there_is_no_account() -> None:
    found = Comparison(ACCOUNT, False, ("1.0.0",), ())
    assert (found.is_enough, lines(found)) == (
        False,
        ['service account "installer" not found in namespace "shop"', "nothing is missing"],
    )


def test_comparison_tells_surplus_where_it_was_asked_for() -> None:
    found = Comparison(ACCOUNT, True, ("1.0.0",), (), Surplus(PODS, JOBS))
    assert lines(found) == [
        "nothing is missing",
        "not needed:",
        '  Namespace:"shop" APIGroups:[] Resources:[pods] Verbs:[get]',
        "wider than needed:",
        '  Namespace:"" APIGroups:[batch] Resources:[jobs] Verbs:[*]',
    ]
    assert (found.is_enough, found.to_json["surplus"], found.to_json["wide"]) == (
        True,
        [rule.to_json() for rule in PODS],
        [rule.to_json() for rule in JOBS],
    )
    assert lines(Comparison(ACCOUNT, True, (), (), Surplus())) == ["nothing is missing", "nothing is too much"]
