"""What a caller may choose about a rendering, and what the stages hand to the generators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from operator_controller.bundle import Bundle

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
    what the reference does not do: places in messages, terminal bundle errors, null as "not given", and the default of
    own-only bundles.
    """

    install_namespace: str
    config: object = None
    gates: Gates = field(default_factory=Gates)
    as_reference: bool = False


@dataclass(frozen=True, slots=True)
class Rendering:
    """Everything a generator may look at.

    `target_namespaces` is `("",)` for all namespaces. `deployment_config` is the configuration as it was given, or
    `None`.
    """

    bundle: Bundle
    install_namespace: str
    target_namespaces: tuple[str, ...]
    deployment_config: Mapping[str, Any] | None = None

    @property
    def is_cluster_wide(self) -> bool:
        """Whether the bundle watches all namespaces."""
        return self.target_namespaces == ("",)
