"""Operators that report through an OperatorCondition that nobody made. Rule: bundle-rendering.md 14; decision 19."""

from __future__ import annotations

from olmv1.manifests import Manifest
from operator_controller.renderer.extras.operator_condition import ENV_NAME, uses_operator_conditions
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.options import Rendering

__all__ = ["operator_conditions"]


def operator_conditions(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """The objects as they are, and a warning for an operator that may fail without its OperatorCondition."""
    if rendering.has_operator_condition or not uses_operator_conditions(rendering.bundle):
        return Improved(objects)
    text = f'bundle "{rendering.bundle.csv_name}" uses OperatorConditions, but gets none here: {ENV_NAME} is not set'
    return Improved(objects, (text,))
