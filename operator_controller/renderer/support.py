"""Whether a bundle uses only what this controller can do; the first reason against it ends the rendering.

Rule: bundle-rendering.md 6.
"""

from __future__ import annotations

from collections.abc import Callable

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.certificates import provider_of
from operator_controller.renderer.install_modes import InstallMode, supported_of_ours
from operator_controller.renderer.options import RenderOptions

__all__ = ["require_supported"]

_Check = Callable[[Bundle, RenderOptions], str]


def require_supported(bundle: Bundle, options: RenderOptions) -> None:
    """Accept a bundle that can be rendered.

    Raises: BundleError `unsupported bundle: <first reason>`.
    """
    for check in _CHECKS:
        if reason := check(bundle, options):
            raise BundleError(f"unsupported bundle: {reason}")


def _api_services(bundle: Bundle, _: RenderOptions) -> str:
    return "apiServiceDefintions are not supported" if bundle.owned_api_services else ""  # sic: the reference's text


def _webhooks(bundle: Bundle, options: RenderOptions) -> str:
    # Support for webhooks is on exactly when somebody makes their certificates.
    return (
        "webhookDefinitions are not supported"
        if bundle.webhooks and not provider_of(options.certificates).serves
        else ""
    )


def _all_namespaces(bundle: Bundle, options: RenderOptions) -> str:
    if options.gates.single_own_namespace or InstallMode.ALL in bundle.install_modes:
        return ""
    return "bundle does not support AllNamespaces install mode"


def _any_mode(bundle: Bundle, _: RenderOptions) -> str:
    if supported_of_ours(bundle):
        return ""
    return "bundle must support at least one of [AllNamespaces SingleNamespace OwnNamespace] install modes"


_CHECKS: tuple[_Check, ...] = (_api_services, _webhooks, _all_namespaces, _any_mode)
