"""The install modes of a bundle, by their names in the CSV."""

from __future__ import annotations

from enum import StrEnum

from operator_controller.bundle import Bundle

__all__ = ["InstallMode", "supported_of_ours"]


class InstallMode(StrEnum):
    """What the operator of a bundle can watch."""

    ALL = "AllNamespaces"
    SINGLE = "SingleNamespace"
    OWN = "OwnNamespace"
    MULTI = "MultiNamespace"


_OURS = frozenset({InstallMode.ALL, InstallMode.SINGLE, InstallMode.OWN})


def supported_of_ours(bundle: Bundle) -> frozenset[str]:
    """The modes of the bundle that can be asked for; several namespaces cannot, so MultiNamespace plays no part."""
    return bundle.install_modes & _OURS
