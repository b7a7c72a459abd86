"""The namespaces that the operator of a bundle watches.

Rule: bundle-rendering.md 9.
"""

from __future__ import annotations

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.install_modes import InstallMode

__all__ = ["require_valid_targets", "target_namespaces_of"]


def target_namespaces_of(bundle: Bundle, watch_namespace: str | None) -> tuple[str, ...]:
    """The configured namespace, else all of them (`("",)`) when the bundle supports that, else none."""
    if watch_namespace is not None:
        return (watch_namespace,)
    return ("",) if InstallMode.ALL in bundle.install_modes else ()


def require_valid_targets(bundle: Bundle, install_namespace: str, targets: tuple[str, ...]) -> None:
    """Accept targets that an install mode of the bundle covers.

    Raises: BundleError `invalid option(s): invalid target namespaces [<list>]: <reason>`.
    """
    if reason := _finding(bundle, install_namespace, targets):
        raise BundleError(f"invalid option(s): invalid target namespaces [{' '.join(targets)}]: {reason}")


def _finding(bundle: Bundle, install_namespace: str, targets: tuple[str, ...]) -> str:
    modes = bundle.install_modes
    refused = f"supported install modes [{' '.join(sorted(modes))}] do not support"
    match targets:
        case ():
            count = "at least one target namespace" if InstallMode.MULTI in modes else "exactly one target namespace"
            return f"{count} must be specified"
        case ("",):
            return "" if InstallMode.ALL in modes else f"{refused} targeting all namespaces"
        case (namespace,) if namespace == install_namespace:
            return "" if InstallMode.OWN in modes else f"{refused} targeting own namespace"
        case (_,):
            is_covered = InstallMode.SINGLE in modes
        case _:
            is_covered = InstallMode.MULTI in modes and "" not in targets
            is_covered = is_covered and (install_namespace not in targets or InstallMode.OWN in modes)
    return "" if is_covered else f"{refused} target namespaces [{' '.join(targets)}]"
