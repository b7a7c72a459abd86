"""What the image of a bundle may hold, and what comes out when it is rendered.

The values of this room; the reconciler passes them on without looking inside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from olmv1.manifests import Manifest
from olmv1.served import Served
from operator_controller.bundle import Bundle, Property
from operator_controller.bundle.properties import ANNOTATION, MergedProperties
from operator_controller.chart import Chart
from operator_controller.renderer import Certificates

__all__ = ["Content", "ContentOptions", "HelmChart", "RegistryBundle", "Rendered"]


@dataclass(frozen=True, slots=True)
class RegistryBundle:
    """A registry+v1 bundle; `digest` is that of its image (`sha256:…`), empty when it comes from none."""

    bundle: Bundle
    digest: str = ""

    @property
    def properties(self) -> tuple[Property, ...]:
        """What the bundle says about itself."""
        return self.bundle.properties

    @property
    def dependencies(self) -> tuple[Property, ...]:
        """What its metadata/dependencies.yaml asks for."""
        return self.bundle.dependencies

    @property
    def properties_text(self) -> str | None:
        """The properties as the annotation `olm.properties` of a revision spells them."""
        return self.bundle.annotations.get(ANNOTATION)


@dataclass(frozen=True, slots=True)
class HelmChart:
    """A Helm chart; requirements of a chart are among its properties; `digest` as of a `RegistryBundle`."""

    chart: Chart
    merged: MergedProperties
    digest: str = ""

    @property
    def properties(self) -> tuple[Property, ...]:
        """What Chart.yaml says in annotations `olm.…`."""
        return self.merged.properties

    @property
    def dependencies(self) -> tuple[Property, ...]:
        """Nothing: charts have no file for it."""
        return ()

    @property
    def properties_text(self) -> str | None:
        """The properties as the annotation `olm.properties` of a revision spells them."""
        return self.merged.annotation


Content = RegistryBundle | HelmChart


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentOptions:
    """Inputs of a rendering beside the content.

    `version` is that of the bundle in its catalog, empty when it comes from none; `config` is `spec.config.inline`.
    `ignore_hooks` and `served` count for charts; `certificates`, `api_roles`, `proxy` and `operator_condition` for
    registry+v1 bundles, as in `renderer.RenderOptions`.
    """

    extension: str
    namespace: str
    version: str = ""
    config: Mapping[str, Any] | None = None
    served: Served = field(default_factory=Served)
    certificates: Certificates = Certificates.NONE
    api_roles: bool = False
    proxy: Mapping[str, str] | None = None
    operator_condition: bool = False
    ignore_hooks: bool = False


@dataclass(frozen=True, slots=True)
class Rendered:
    """The objects to apply, and what the revision records: `properties` as JSON text, `capabilities` as what the
    objects depend on in the cluster (`chart.still_hold` reads it), `notes` for the user.

    `basis` is what the objects were rendered from beside their image, where two renderings may differ; else empty.
    """

    objects: tuple[Manifest, ...]
    properties: str | None = None
    warnings: tuple[str, ...] = ()
    capabilities: str | None = None
    notes: str | None = None
    basis: str = ""
