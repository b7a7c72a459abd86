from __future__ import annotations

from operator_controller.authorization import (
    Account,
    Grants,
    Installer,
    KindMap,
    RbacSnapshot,
    installer_documents,
    needs_of,
    wanted_rights,
)
from tests.rbac import RBAC, a_role, a_rule, an_account, an_object

INSTALLER = Installer("kiosk", Account("kiosk-system", "robot"))
LABELS = {"olm.operatorframework.io/installer-for": "kiosk"}


def test_installer_documents_are_the_account_and_its_roles_in_order() -> None:
    objects = [
        an_object("Secret", namespace="b"),
        an_object("Secret", namespace="a"),
        a_role("r", a_rule("nodes", "get")),
    ]
    needs = needs_of(objects, KindMap(), RbacSnapshot())
    documents = installer_documents(INSTALLER, wanted_rights([("1", needs)], Grants.HOLD))
    found = [(each.manifest["kind"], each.manifest["metadata"].get("namespace")) for each in documents]
    assert found == [
        ("Namespace", None),
        ("ServiceAccount", "kiosk-system"),
        ("ClusterRole", None),
        ("ClusterRoleBinding", None),
        ("Role", "a"),
        ("Role", "b"),
        ("RoleBinding", "a"),
        ("RoleBinding", "b"),
    ]
    assert documents[4].manifest == {
        "apiVersion": f"{RBAC}/v1",
        "kind": "Role",
        "metadata": {"name": "kiosk-installer", "namespace": "a", "labels": LABELS},
        "rules": [a_rule("secrets", "create delete patch", "till")],
    }
    assert documents[6].manifest["subjects"] == [an_account("robot", "kiosk-system")]


def test_installer_documents_without_rights_are_the_account_alone() -> None:
    found = installer_documents(INSTALLER, wanted_rights([], Grants.HOLD))
    assert [each.manifest["kind"] for each in found] == ["Namespace", "ServiceAccount"]


def test_installer_documents_have_the_reasons_of_each_rule() -> None:
    needs = needs_of([a_role("r", a_rule("nodes", "get"))], KindMap(), RbacSnapshot())
    _, _, role, _ = installer_documents(INSTALLER, wanted_rights([("1", needs)], Grants.HOLD))
    assert [[reason.section for reason in reasons] for reasons in role.reasons] == [["grants"], ["objects"]]
