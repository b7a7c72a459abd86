from __future__ import annotations

from typing import Any

import pytest

from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.improvements.subjects import subjects
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_permission

_MADE = {"kind": "ServiceAccount", "metadata": {"name": "made"}}


def improved(*given: Any, kind: str = "ClusterRoleBinding") -> Improved:
    binding = {"kind": kind, "metadata": {"name": "b"}, "subjects": list(given)}
    bundle = a_bundle(cluster_permissions=(a_permission("allowed"),))
    return subjects((_MADE, binding), Rendering(bundle, "ns", ("",)))


def account(name: Any, **namespace: Any) -> dict[str, Any]:
    return {"kind": "ServiceAccount", "name": name, **namespace}


@pytest.mark.parametrize("kind", ["RoleBinding", "ClusterRoleBinding"])
@pytest.mark.parametrize(
    "given",
    [
        account("any"),
        account("any", namespace=""),
        account("any", namespace=None),
        account("any", namespace="placeholder"),
        account("made", namespace="theirs"),
        account("allowed", namespace="theirs"),
    ],
)
def test_subjects_of_the_bundle_are_in_the_install_namespace(kind: str, given: Any) -> None:
    result = improved(given, kind=kind)
    assert result.objects[1]["subjects"] == [{**given, "namespace": "ns"}]
    assert result.warnings == ()


def test_subjects_elsewhere_stay_and_are_warned_of() -> None:
    group = {"kind": "Group", "name": "made", "namespace": "theirs"}
    given = [account("b", namespace="y"), account("a", namespace="z"), group, account("c", namespace="ns"), "broken"]
    result = improved(*given)
    assert result.objects[1]["subjects"] == given
    assert result.warnings == (
        'ClusterRoleBinding "b" gives rights to ServiceAccount "y/b", which is not of the bundle',
        'ClusterRoleBinding "b" gives rights to ServiceAccount "z/a", which is not of the bundle',
    )


def test_subjects_takes_whatever_a_bundle_writes() -> None:
    given = ({"kind": "RoleBinding", "subjects": "none"}, {"kind": "Role", "subjects": [account("a")]})
    assert subjects(given, Rendering(a_bundle(), "ns", ("",))) == Improved(given)
    assert len(improved(account(["list"], namespace="theirs")).warnings) == 1
