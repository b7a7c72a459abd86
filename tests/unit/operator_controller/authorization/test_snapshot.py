from __future__ import annotations

import time

import pytest

from operator_controller.authorization import Account, RbacSnapshot, Right, RoleRef, slim_rbac
from tests.rbac import a_binding, a_role, a_rule, an_account

ACCOUNT = Account("shop", "installer")
GET_PODS = a_rule("pods", "get")


def test_account_has_the_groups_that_the_api_server_gives_it() -> None:
    groups = ("system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated")
    assert (ACCOUNT.user, ACCOUNT.groups) == ("system:serviceaccount:shop:installer", groups)


@pytest.mark.parametrize(
    ("subject", "is_held"),
    [
        pytest.param(an_account(), True, id="account"),
        pytest.param(an_account("other"), False, id="another account"),
        pytest.param(an_account(namespace="elsewhere"), False, id="account of another namespace"),
        pytest.param({"kind": "User", "name": "system:serviceaccount:shop:installer"}, True, id="user"),
        pytest.param({"kind": "Group", "name": "system:serviceaccounts"}, True, id="all accounts"),
        pytest.param({"kind": "Group", "name": "system:serviceaccounts:shop"}, True, id="accounts of the namespace"),
        pytest.param({"kind": "Group", "name": "system:serviceaccounts:elsewhere"}, False, id="others' accounts"),
        pytest.param({"kind": "Group", "name": "system:authenticated"}, True, id="everybody"),
        pytest.param({"kind": "Robot", "name": "installer"}, False, id="unknown kind"),
        pytest.param(an_account(namespace=None), False, id="account without namespace"),
    ],
)
def test_snapshot_finds_what_is_bound_to_the_account(subject: dict[str, str], is_held: bool) -> None:
    rbac = RbacSnapshot([a_role("reader", GET_PODS), a_binding("reader", subject)])
    assert rbac.held_by(ACCOUNT).covers(Right("", "", "pods", "", "get")) is is_held


def test_snapshot_gives_the_rules_of_a_role_binding_in_its_namespace_only() -> None:
    objects = [a_role("reader", GET_PODS), a_binding("reader", an_account(), namespace="shop", kind="ClusterRole")]
    assert RbacSnapshot(objects).held_by(ACCOUNT).rights == {Right("shop", "", "pods", "", "get")}


def test_snapshot_takes_an_account_without_namespace_for_one_of_the_role_binding() -> None:
    objects = [a_role("r", GET_PODS, namespace="shop"), a_binding("r", an_account(namespace=None), namespace="shop")]
    assert RbacSnapshot(objects).held_by(ACCOUNT).rights == {Right("shop", "", "pods", "", "get")}


def test_snapshot_passes_over_bindings_of_roles_that_are_not_there() -> None:
    wrong = a_binding("reader", an_account(), kind="Role")
    rbac = RbacSnapshot([a_role("reader", GET_PODS, namespace="shop"), wrong, a_binding("gone", an_account())])
    assert rbac.held_by(ACCOUNT).rights == frozenset()


def test_snapshot_leaves_groups_out_when_asked_to() -> None:
    everybody = {"kind": "Group", "name": "system:authenticated"}
    rbac = RbacSnapshot([a_role("reader", GET_PODS), a_binding("reader", everybody)])
    assert rbac.held_by(ACCOUNT, with_groups=False).rights == frozenset()


def test_snapshot_looks_through_a_thousand_roles_in_milliseconds() -> None:
    names = [f"role-{number}" for number in range(1000)]
    objects = [a_role(name, *[GET_PODS] * 5) for name in names] + [a_binding(name, an_account(name)) for name in names]
    objects += [a_role("mine", GET_PODS), a_binding("mine", an_account())]
    took_s = []
    for _ in range(5):
        began = time.process_time()
        assert RbacSnapshot(objects).held_by(ACCOUNT).rights == {Right("", "", "pods", "", "get")}
        took_s.append(time.process_time() - began)
    assert min(took_s) < 0.05


def test_slim_rbac_keeps_what_a_snapshot_looks_at() -> None:
    role = a_role("view", GET_PODS, labels={"a": "b"}, aggregationRule={"clusterRoleSelectors": []})
    full = {**role, "metadata": {**role["metadata"], "managedFields": [{}], "annotations": {"x": "y"}}}
    binding = a_binding("view", an_account())
    assert (slim_rbac(full), slim_rbac(binding)) == (role, binding)
    assert RbacSnapshot([slim_rbac(full)]).role(RoleRef("", "view")) == role
