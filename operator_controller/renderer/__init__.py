"""Rendering: a bundle view -> the manifests to apply. Pure: nothing is read from a cluster.

`render` is the way in; it never changes the bundle. Rule: bundle-rendering.md 6 to 10.
"""

from __future__ import annotations

from operator_controller.renderer.configuration import ConfigurationError
from operator_controller.renderer.options import Gates, RenderOptions
from operator_controller.renderer.render import render

__all__ = ["ConfigurationError", "Gates", "RenderOptions", "render"]
