from __future__ import annotations

from olmv1.manifests import Manifest
from operator_controller.authorization import (
    Grants,
    KindMap,
    Needs,
    RbacSnapshot,
    Right,
    Section,
    needs_of,
    wanted_rights,
)
from tests.rbac import RBAC, a_binding, a_role, a_rule, a_url_rule, an_account, an_object


def needs(*objects: Manifest) -> Needs:
    return needs_of(objects, KindMap(), RbacSnapshot())


ROLE = a_role("op", a_rule("secrets", "get create"), a_url_rule("/metrics"))
BINDING = a_binding("op", an_account("op"))


def test_wanted_holds_what_is_granted_and_drops_what_that_covers() -> None:
    wanted = wanted_rights([("1.0.0", needs(an_object("Secret"), ROLE, BINDING))], Grants.HOLD).rights
    granted = {Right("", "", "secrets", "", verb) for verb in ("create", "get")} | {Right(verb="get", url="/metrics")}
    own = {Right("shop", "", "secrets", "till", verb) for verb in ("delete", "patch")}
    assert {right for right, reason in wanted.items() if reason.section is Section.GRANTS} == granted
    assert {right for right in wanted if right.group != RBAC} == granted | own
    reason = wanted[Right("", "", "secrets", "", "get")]
    assert (reason.roles, reason.receivers, reason.versions) == (
        frozenset({"ClusterRole op"}),
        frozenset({"op"}),
        ("1.0.0",),
    )


def test_wanted_escalates_by_name_instead() -> None:
    wanted = wanted_rights([("1.0.0", needs(ROLE, BINDING))], Grants.ESCALATE).rights
    leave = {right for right, reason in wanted.items() if reason.section is Section.LEAVE}
    assert leave == {Right("", RBAC, "clusterroles", "op", verb) for verb in ("bind", "escalate")}
    assert {right.group for right in wanted} == {RBAC}


def test_wanted_of_several_versions_says_which_need_a_right() -> None:
    first, second = needs(an_object("Secret", "a")), needs(an_object("Secret", "a"), an_object("Secret", "b"))
    wanted = wanted_rights([("1.0.0", first), ("2.0.0", second)], Grants.HOLD).rights
    assert {right.name: reason.versions for right, reason in wanted.items()} == {
        "a": ("1.0.0", "2.0.0"),
        "b": ("2.0.0",),
    }


def test_wanted_counts_the_versions_of_what_a_wider_right_covers() -> None:
    first, second = needs(an_object("Secret")), needs(a_role("op", a_rule("secrets", "*")))
    wanted = wanted_rights([("1.0.0", first), ("2.0.0", second)], Grants.HOLD).rights
    assert wanted[Right("", "", "secrets", "", "*")].versions == ("2.0.0", "1.0.0")


def test_wanted_gives_leave_for_what_cannot_be_held_and_says_so() -> None:
    aggregate = a_role("all", aggregationRule={"clusterRoleSelectors": [{}]})
    found = wanted_rights([("1.0.0", needs(aggregate, a_binding("gone", namespace="shop")))], Grants.HOLD)
    assert {right for right, reason in found.rights.items() if reason.section is Section.LEAVE} == {
        Right("", RBAC, "clusterroles", "all", "escalate"),
        Right("shop", RBAC, "roles", "gone", "bind"),
    }
    assert found.warnings == (
        "ClusterRole all gathers its rules from other roles: the account gets escalate on it instead of every right",
        "RoleBinding gone-binding refers to Role gone, whose rules are not known: the account gets bind on it",
    )


def test_wanted_warns_of_an_operator_that_may_give_itself_every_right() -> None:
    mighty = needs(a_role("op", a_rule("clusterroles", "*", group=RBAC)))
    warning = (
        "ClusterRole op may give itself every right, and who holds its rules may do so too: "
        "--grants escalate asks for less"
    )
    assert wanted_rights([("1.0.0", mighty)], Grants.HOLD).warnings == (warning,)
    assert wanted_rights([("1.0.0", mighty)], Grants.ESCALATE).warnings == ()
