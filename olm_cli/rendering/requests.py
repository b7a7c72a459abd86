"""One rendering: what is asked for, and what comes out."""

from __future__ import annotations

from dataclasses import dataclass

from operator_controller.bundle import Bundle
from operator_controller.renderer import Certificates, Gates, Rendered, RenderOptions, render_with_findings

__all__ = ["RenderRequest", "render_bundle"]


@dataclass(frozen=True, slots=True)
class RenderRequest:
    """What an extension would say about a bundle.

    `config` is `spec.config.inline` as decoded JSON, `None` for none. `has_default_gates`: the feature gates are as the
    reference has them by default, not all on. `as_reference`: render without the improvements of this project.
    `api_roles`: with roles for users of the provided APIs.
    """

    namespace: str
    config: object = None
    certificates: Certificates = Certificates.NONE
    has_default_gates: bool = False
    as_reference: bool = False
    api_roles: bool = False


def render_bundle(bundle: Bundle, request: RenderRequest) -> Rendered:
    """The objects that the controller would apply for the bundle, and what it would warn of.

    Raises:
        ConfigurationError: the configuration does not fit the bundle.
        OlmError: the bundle cannot be installed; with `as_reference` such errors are retryable ones.
    """
    is_on = not request.has_default_gates
    options = RenderOptions(
        install_namespace=request.namespace,
        config=request.config,
        gates=Gates(single_own_namespace=is_on, deployment_config=is_on),
        as_reference=request.as_reference,
        certificates=request.certificates,
        api_roles=request.api_roles,
    )
    return render_with_findings(bundle, options)
