from __future__ import annotations

from operator_controller.renderer.generators.service_accounts import service_accounts
from operator_controller.renderer.options import Rendering
from tests.bundles import a_bundle, a_permission


def test_service_accounts_are_distinct_and_sorted_without_default() -> None:
    accounts = tuple(a_permission(name) for name in ("b", "", "default", "b"))
    bundle = a_bundle(permissions=accounts, cluster_permissions=(a_permission("a"),))
    assert list(service_accounts(Rendering(bundle, "ns", ("",)))) == [
        {"kind": "ServiceAccount", "apiVersion": "v1", "metadata": {"name": name, "namespace": "ns"}} for name in "ab"
    ]
