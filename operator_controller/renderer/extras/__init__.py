"""Objects that the reference never renders, each asked for by an option; one extra, one file.

`EXTRAS` are rendered after everything else and pass through the improvements. Never with `as_reference`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from olmv1.manifests import Manifest
from operator_controller.renderer.extras.api_roles import api_roles
from operator_controller.renderer.extras.operator_condition import operator_condition_roles
from operator_controller.renderer.options import Rendering

__all__ = ["EXTRAS"]

EXTRAS: tuple[Callable[[Rendering], Iterable[Manifest]], ...] = (api_roles, operator_condition_roles)
