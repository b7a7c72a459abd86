"""What a caller may choose about a rendering, and what the stages hand to the generators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from operator_controller.bundle import Bundle
from operator_controller.renderer.certificates import Certificates, Provider, provider_of

__all__ = ["Gates", "RenderOptions", "Rendering"]


@dataclass(frozen=True, slots=True)
class Gates:
    """The feature gates that change a rendering; both are on here and off by default in the reference."""

    single_own_namespace: bool = True
    deployment_config: bool = True


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """Inputs of a rendering beside the bundle.

    `config` is `spec.config.inline` as decoded JSON, `None` when the extension has none. `as_reference` switches off
    what the reference does not do: places in messages, terminal bundle errors, null as "not given", the default of
    own-only bundles, and every improvement and extra. `certificates` says who makes the certificates of webhooks.

    The extras are off by default: `api_roles` adds roles for the users of the provided APIs; `proxy` is the environment
    of the cluster's proxy (`{"HTTPS_PROXY": …}`); `operator_condition` lets the operator write its OperatorCondition.
    """

    install_namespace: str
    config: object = None
    gates: Gates = field(default_factory=Gates)
    as_reference: bool = False
    certificates: Certificates = Certificates.NONE
    api_roles: bool = False
    proxy: Mapping[str, str] | None = None
    operator_condition: bool = False


@dataclass(frozen=True, slots=True)
class Rendering:
    """Everything a generator may look at.

    `target_namespaces` is `("",)` for all namespaces. `deployment_config` is the configuration as it was given and with
    the environment that is injected, or `None`.
    """

    bundle: Bundle
    install_namespace: str
    target_namespaces: tuple[str, ...]
    deployment_config: Mapping[str, Any] | None = None
    certificates: Certificates = Certificates.NONE
    has_api_roles: bool = False
    has_operator_condition: bool = False

    @property
    def provider(self) -> Provider:
        """What the chosen certificate provider adds."""
        return provider_of(self.certificates)

    @property
    def is_cluster_wide(self) -> bool:
        """Whether the bundle watches all namespaces."""
        return self.target_namespaces == ("",)
