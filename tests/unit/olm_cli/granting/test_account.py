from __future__ import annotations

import pytest

from olm_cli.granting import Around, Installer, Version, plan_of
from olm_cli.problems import CannotTell
from operator_controller.authorization import Account, Grants, RbacSnapshot
from tests.rbac import a_binding, a_role, a_rule, an_account, an_object

INSTALLER = Installer("till", Account("shop", "till-installer"))


def a_version(*kinds: str) -> Version:
    return Version("till", "1.0.0", tuple(an_object(kind) for kind in kinds))


async def test_plan_writes_what_is_enough_whatever_the_role_of_that_name_has_now() -> None:
    older = a_role("till-installer", a_rule("pods", "get"), namespace="shop")
    plan = await plan_of(INSTALLER, [a_version("Secret")], Around(rbac=RbacSnapshot([older])))
    *_, role, _ = plan.documents(plan.wanted(Grants.HOLD))
    assert role.manifest["rules"] == [a_rule("secrets", "create delete patch", "till")]


async def test_plan_looks_up_roles_that_are_not_brought_along() -> None:
    view = a_role("view", a_rule("pods", "get"))
    version = Version("till", "1.0.0", (a_binding("view", an_account("op"), namespace="shop", kind="ClusterRole"),))
    plan = await plan_of(INSTALLER, [version], Around(rbac=RbacSnapshot([view])))
    wanted = plan.wanted(Grants.HOLD)
    *_, role, _ = plan.documents(wanted)
    assert (wanted.warnings, role.manifest["rules"][0]) == ((), a_rule("pods", "get"))


async def test_plan_names_objects_of_unknown_kinds() -> None:
    with pytest.raises(
        CannotTell, match="^could not get REST mapping for object 1 in manifest with GVK v1, Kind=Thing"
    ):
        await plan_of(INSTALLER, [a_version("Secret", "Thing")], Around())
