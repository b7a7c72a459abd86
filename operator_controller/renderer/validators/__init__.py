"""Validators: one rule, one file; each gives its findings in order. `VALIDATORS` lists them in the order of the text.

A validator takes the bundle and returns one line per finding. `OUR_VALIDATORS` come after them and are not run as the
reference. Rule: bundle-rendering.md 8, 15 rows 8 and 15.
"""

from __future__ import annotations

from operator_controller.bundle import Bundle, BundleError
from operator_controller.renderer.validators.admission_rules_allowed import admission_rules_allowed
from operator_controller.renderer.validators.conversion_crds_owned import conversion_crds_owned
from operator_controller.renderer.validators.conversion_crds_unique import conversion_crds_unique
from operator_controller.renderer.validators.conversion_modes import conversion_modes
from operator_controller.renderer.validators.crd_names_unique import crd_names_unique
from operator_controller.renderer.validators.crd_versions_supported import crd_versions_supported
from operator_controller.renderer.validators.deployment_names_unique import deployment_names_unique
from operator_controller.renderer.validators.deployment_names_valid import deployment_names_valid
from operator_controller.renderer.validators.finding import Finding, Validator
from operator_controller.renderer.validators.owned_crds_present import owned_crds_present
from operator_controller.renderer.validators.package_name_present import package_name_present
from operator_controller.renderer.validators.resource_groups_supported import resource_groups_supported
from operator_controller.renderer.validators.resource_kinds_supported import resource_kinds_supported
from operator_controller.renderer.validators.webhook_deployments_present import webhook_deployments_present
from operator_controller.renderer.validators.webhook_names_unique import webhook_names_unique
from operator_controller.renderer.validators.webhook_names_valid import webhook_names_valid

__all__ = ["OUR_VALIDATORS", "VALIDATORS", "Finding", "require_valid"]

VALIDATORS: tuple[Validator, ...] = (
    deployment_names_unique,
    deployment_names_valid,
    crd_names_unique,
    owned_crds_present,
    package_name_present,
    conversion_modes,
    webhook_deployments_present,
    webhook_names_unique,
    webhook_names_valid,
    conversion_crds_unique,
    conversion_crds_owned,
    admission_rules_allowed,
    resource_kinds_supported,
)

OUR_VALIDATORS: tuple[Validator, ...] = (crd_versions_supported, resource_groups_supported)


def require_valid(bundle: Bundle, *, as_reference: bool = False) -> None:
    """Accept a bundle without findings.

    Raises: BundleError with every finding of every validator, one per line; its `words` name no places.
    """
    validators = VALIDATORS if as_reference else VALIDATORS + OUR_VALIDATORS
    if findings := [finding for validator in validators for finding in validator(bundle)]:
        raise BundleError.joined([(finding.words, finding.place) for finding in findings])
