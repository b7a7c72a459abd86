"""ServiceAccounts that the permissions of a bundle name."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.manifests import Manifest
from operator_controller.renderer.names import service_account_name
from operator_controller.renderer.options import Rendering

__all__ = ["service_accounts"]


def service_accounts(rendering: Rendering) -> Iterator[Manifest]:
    """One account per distinct name, sorted, except `default`, which every namespace has.

    Rule: bundle-rendering.md 10.2.
    """
    bundle = rendering.bundle
    names = {service_account_name(permission) for permission in (*bundle.permissions, *bundle.cluster_permissions)}
    for name in sorted(names - {"default"}):
        yield {
            "kind": "ServiceAccount",
            "apiVersion": "v1",
            "metadata": {"name": name, "namespace": rendering.install_namespace},
        }
