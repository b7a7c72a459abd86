from __future__ import annotations

from operator_controller.authorization import KindMap, RbacSnapshot, RightSet, needs_of, rights_in, surplus_of
from tests.rbac import RBAC, a_role, a_rule, an_object


def test_surplus_tells_unused_from_wide_rules() -> None:
    held = [a_rule("secrets", "create delete patch get", "till"), a_rule("configmaps", "*"), a_rule("pods", "get")]
    held += [a_rule("clusterroles", "escalate create delete patch", "op", group=RBAC)]
    objects = [an_object("Secret"), an_object("ConfigMap"), a_role("op", a_rule("nodes", "get"))]
    found = surplus_of(RightSet(rights_in(held)), [needs_of(objects, KindMap(), RbacSnapshot())])
    assert [str(rule) for rule in found.unused] == [
        'Namespace:"" APIGroups:[] Resources:[pods] Verbs:[get]',
        'Namespace:"" APIGroups:[] Resources:[secrets] ResourceNames:[till] Verbs:[get]',
    ]
    assert [str(rule) for rule in found.wide] == [
        'Namespace:"" APIGroups:[] Resources:[configmaps] Verbs:[*]',
        'Namespace:"" APIGroups:[] Resources:[secrets] ResourceNames:[till] Verbs:[create,delete,patch]',
    ]
