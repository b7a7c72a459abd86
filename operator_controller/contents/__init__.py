"""What bundle images hold, of either kind, and the objects made of it: registry+v1 bundles and Helm charts.

Shell: pulls through `olmv1.images`, runs helm; holds no rule. Used by the reconciler of extensions and by `olm render`.
"""

from __future__ import annotations

from operator_controller.contents.content import Content, ContentOptions, HelmChart, RegistryBundle, Rendered
from operator_controller.contents.contents import Contents, content_of, render_content
from operator_controller.contents.helm import Helm

__all__ = [
    "Content",
    "ContentOptions",
    "Contents",
    "Helm",
    "HelmChart",
    "RegistryBundle",
    "Rendered",
    "content_of",
    "render_content",
]
