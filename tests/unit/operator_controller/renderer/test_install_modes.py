from __future__ import annotations

from operator_controller.renderer.install_modes import supported_of_ours
from tests.bundles import a_bundle


def test_supported_of_ours_leaves_out_several_namespaces_and_unknown_modes() -> None:
    bundle = a_bundle(install_modes=frozenset({"MultiNamespace", "OwnNamespace", "Other"}))
    assert supported_of_ours(bundle) == {"OwnNamespace"}
