from __future__ import annotations

import pytest

from olmv1.manifests import ObjectKey
from operator_controller.upgrade_plan.removed_apis import removed_apis

INGRESS = ObjectKey("networking.k8s.io", "v1beta1", "Ingress", "shop", "till")
BUDGET = ObjectKey("policy", "v1beta1", "PodDisruptionBudget", "shop", "till")
POLICY = ObjectKey("policy", "v1beta1", "PodSecurityPolicy", "", "till")
DEPLOYMENT = ObjectKey("apps", "v1", "Deployment", "shop", "till")
LOOKALIKE = ObjectKey("example.com", "v1beta1", "Ingress", "shop", "till")
EVERY = (INGRESS, BUDGET, POLICY, DEPLOYMENT, LOOKALIKE)


@pytest.mark.parametrize(
    ("kubernetes", "gone"), [((1, 21), []), ((1, 22), [INGRESS]), ((1, 25), [INGRESS, BUDGET, POLICY])]
)
def test_removed_api_is_told_from_its_version_on(kubernetes: tuple[int, int], gone: list[ObjectKey]) -> None:
    assert [each.key for each in removed_apis(EVERY, kubernetes)] == gone


def test_removed_api_says_what_follows() -> None:
    assert [str(each) for each in removed_apis((INGRESS, POLICY), (1, 36))] == [
        "Ingress.networking.k8s.io/v1beta1 shop/till: not served by Kubernetes 1.22 and later, "
        "use networking.k8s.io/v1",
        "PodSecurityPolicy.policy/v1beta1 /till: not served by Kubernetes 1.25 and later, nothing follows it",
    ]
