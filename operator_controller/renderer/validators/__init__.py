"""Validators: one rule, one file; each gives its findings in order. `VALIDATORS` lists them in the order of the text.

A validator takes the bundle and returns one line per finding. Rule: bundle-rendering.md 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.validators.crd_names_unique import crd_names_unique
from operator_controller.renderer.validators.deployment_names_unique import deployment_names_unique
from operator_controller.renderer.validators.deployment_names_valid import deployment_names_valid
from operator_controller.renderer.validators.owned_crds_present import owned_crds_present
from operator_controller.renderer.validators.package_name_present import package_name_present
from operator_controller.renderer.validators.resource_kinds_supported import resource_kinds_supported

__all__ = ["VALIDATORS", "require_valid"]

VALIDATORS: tuple[Callable[[Bundle], Iterable[str]], ...] = (
    deployment_names_unique,
    deployment_names_valid,
    crd_names_unique,
    owned_crds_present,
    package_name_present,
    resource_kinds_supported,
)


def require_valid(bundle: Bundle) -> None:
    """Accept a bundle without findings.

    Raises: BundleError with every finding of every validator, one per line.
    """
    if findings := [finding for validator in VALIDATORS for finding in validator(bundle)]:
        raise BundleError("\n".join(findings))
