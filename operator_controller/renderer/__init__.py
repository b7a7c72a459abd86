"""Rendering: a bundle view -> the manifests to apply. Pure: nothing is read from a cluster.

`render` is the way in, `render_with_findings` the same with warnings; the bundle is never changed. Two passes: the
objects of the reference (`generators`), then `improvements`. Rule: bundle-rendering.md 6 to 11, 15.
"""

from __future__ import annotations

from operator_controller.renderer.certificates import Certificates
from operator_controller.renderer.configuration import ConfigurationError
from operator_controller.renderer.extras.operator_condition import uses_operator_conditions
from operator_controller.renderer.options import Gates, RenderOptions
from operator_controller.renderer.render import Rendered, render, render_with_findings

__all__ = [
    "Certificates",
    "ConfigurationError",
    "Gates",
    "RenderOptions",
    "Rendered",
    "render",
    "render_with_findings",
    "uses_operator_conditions",
]
