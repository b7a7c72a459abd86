"""The second pass of a rendering: what we do better than the reference, one row of the list a file.

Skipped with `as_reference`. `IMPROVEMENTS` lists them in the order in which they run; `docs/rendering.md` gives the
reason of each. Rule: bundle-rendering.md 15.
"""

from __future__ import annotations

from olmv1.manifests import Manifest
from operator_controller.renderer.improvements.api_limits import api_limits
from operator_controller.renderer.improvements.content import content
from operator_controller.renderer.improvements.conversion_versions import conversion_versions
from operator_controller.renderer.improvements.default_ports import default_ports
from operator_controller.renderer.improvements.duplicates import duplicates
from operator_controller.renderer.improvements.improved import Improved, Improvement
from operator_controller.renderer.improvements.init_containers import init_containers
from operator_controller.renderer.improvements.lean_pods import lean_pods
from operator_controller.renderer.improvements.leftover_conversion import leftover_conversion
from operator_controller.renderer.improvements.name_limits import name_limits
from operator_controller.renderer.improvements.operator_conditions import operator_conditions
from operator_controller.renderer.improvements.scope import scope
from operator_controller.renderer.improvements.service_ports import service_ports
from operator_controller.renderer.improvements.subjects import subjects
from operator_controller.renderer.options import Rendering

__all__ = ["IMPROVEMENTS", "Improved", "Improvement", "improved"]

# Identities are settled (names, namespaces, subjects) before objects of one identity are merged and limits checked.
IMPROVEMENTS: tuple[Improvement, ...] = (
    default_ports,
    service_ports,
    name_limits,
    init_containers,
    lean_pods,
    leftover_conversion,
    conversion_versions,
    scope,
    subjects,
    duplicates,
    api_limits,
    content,
    operator_conditions,
)


def improved(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """The objects after every improvement, and the warnings of all of them in their order.

    Raises: BundleError where the bundle contradicts itself or breaks a limit of the API.
    """
    warnings: list[str] = []
    for improvement in IMPROVEMENTS:
        result = improvement(objects, rendering)
        objects = result.objects
        warnings += result.warnings
    return Improved(objects, tuple(dict.fromkeys(warnings)))
