from __future__ import annotations

from typing import Any

import pytest

from operator_controller.authorization import RbacSnapshot
from operator_controller.rollout_plan import Change, Risk
from operator_controller.rollout_plan.rights import rule_changes
from tests.rbac import RBAC, a_binding, a_role, a_rule, a_url_rule, an_account

NOBODY = RbacSnapshot()
ACCOUNT = an_account("manager")


def bound(*rules: dict[str, Any], namespace: str = "") -> list[dict[str, Any]]:
    """A role with the rules, bound to the account of an operator."""
    return [a_role("lamps", *rules, namespace=namespace), a_binding("lamps", ACCOUNT, namespace=namespace)]


def told(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[tuple[str, str, tuple[str, ...]]]:
    return [(each.change.value, str(each.rule), each.risks) for each in rule_changes(old, new, NOBODY)]


def test_changes_say_where_rights_come_from_and_who_gets_them() -> None:
    (added, removed) = rule_changes(bound(a_rule("pods", "list")), bound(a_rule("pods", "get", "till")), NOBODY)
    assert (added.change, str(added.rule), added.roles, added.receivers) == (
        Change.ADDED,
        'Namespace:"" APIGroups:[] Resources:[pods] ResourceNames:[till] Verbs:[get]',
        ("ClusterRole lamps",),
        ("manager",),
    )
    assert (removed.change, str(removed.rule), removed.risks) == (
        Change.REMOVED,
        'Namespace:"" APIGroups:[] Resources:[pods] Verbs:[list]',
        (),
    )


def test_what_a_wider_right_covers_is_no_change() -> None:
    wide = bound(a_rule("*", "*", group="*"))
    narrow = [a_role("pods", a_rule("pods", "get")), a_binding("pods", ACCOUNT)]
    assert rule_changes(wide, [*wide, *narrow], NOBODY) == ()


@pytest.mark.parametrize(
    ("rule", "risks"),
    [
        pytest.param(a_rule("pods", "get"), (), id="none"),
        pytest.param(a_rule("pods", "*"), (Risk.EVERYTHING,), id="every verb"),
        pytest.param(a_rule("*", "get", group="apps"), (Risk.EVERYTHING,), id="every resource"),
        pytest.param(a_rule("*/scale", "get", group="apps"), (Risk.EVERYTHING,), id="every subresource"),
        pytest.param(a_rule("lamps", "get", group="*"), (Risk.EVERYTHING,), id="every group"),
        pytest.param(a_rule("clusterroles", "escalate", group=RBAC), (Risk.ESCALATE,), id="escalate"),
        pytest.param(a_rule("roles", "bind", group=RBAC), (Risk.ESCALATE,), id="bind"),
        pytest.param(a_rule("rolebindings", "create", group=RBAC), (Risk.ROLES,), id="make bindings"),
        pytest.param(a_rule("serviceaccounts", "impersonate"), (Risk.IMPERSONATE,), id="impersonate"),
        pytest.param(a_rule("uids", "impersonate", group="authentication.k8s.io"), (Risk.IMPERSONATE,), id="uids"),
        pytest.param(a_rule("secrets", "watch"), (Risk.SECRETS,), id="read secrets"),
        pytest.param(a_rule("secrets", "create"), (), id="write secrets"),
        pytest.param(a_rule("serviceaccounts/token", "create"), (Risk.TOKENS,), id="make tokens"),
        pytest.param(a_rule("pods/exec", "create"), (Risk.PODS,), id="enter pods"),
        pytest.param(a_url_rule("/metrics"), (), id="a URL"),
        pytest.param(a_url_rule("/apis/*"), (Risk.EVERYTHING,), id="many URLs"),
        pytest.param(
            a_rule("*", "*", group="*"),
            (Risk.EVERYTHING, Risk.ESCALATE, Risk.IMPERSONATE, Risk.SECRETS, Risk.TOKENS, Risk.PODS, Risk.ROLES),
            id="everything",
        ),
    ],
)
def test_rights_that_lead_to_others_are_marked(rule: dict[str, Any], risks: tuple[Risk, ...]) -> None:
    assert [each.risks for each in rule_changes([], bound(rule), NOBODY)] == [risks]


def test_rights_that_were_held_in_a_namespace_are_marked_when_they_widen() -> None:
    old, new = bound(a_rule("pods", "get"), namespace="shop"), bound(a_rule("pods", "get"))
    assert told(old, new) == [("added", 'Namespace:"" APIGroups:[] Resources:[pods] Verbs:[get]', (Risk.CLUSTER,))]


def test_rights_with_risks_come_first() -> None:
    new = bound(a_rule("lamps", "get"), a_rule("secrets", "get"))
    assert [each.rule.resources for each in rule_changes([], new, NOBODY)] == [("secrets",), ("lamps",)]


def test_a_role_that_nobody_gets_counts_as_it_stands() -> None:
    (change,) = rule_changes([], [a_role("lamps", a_rule("pods", "get"), namespace="shop")], NOBODY)
    assert (change.rule.namespace, change.roles, change.receivers) == ("shop", ("Role shop/lamps",), ())


def test_a_cluster_role_that_is_bound_in_a_namespace_counts_there_only() -> None:
    role = a_role("lamps", a_rule("pods", "get"))
    (change,) = rule_changes([], [role, a_binding("lamps", ACCOUNT, namespace="shop", kind="ClusterRole")], NOBODY)
    assert (change.rule.namespace, change.roles) == ("shop", ("ClusterRole lamps",))


def test_roles_of_the_cluster_are_looked_up() -> None:
    rbac = RbacSnapshot([a_role("view", a_rule("secrets", "get"))])
    (change,) = rule_changes([], [a_binding("view", ACCOUNT)], rbac)
    assert (change.risks, change.roles, change.receivers) == ((Risk.SECRETS,), ("ClusterRole view",), ("manager",))


def test_urls_belong_to_no_namespace() -> None:
    (change,) = rule_changes([], bound(a_url_rule("/metrics"), namespace="shop"), NOBODY)
    assert (change.rule.namespace, change.rule.non_resource_urls) == ("", ("/metrics",))
