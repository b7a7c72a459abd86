"""The checks of one field and of a whole definition, each with its text and what it risks. Rule: applying.md 5.2."""

from __future__ import annotations

from operator_controller.crd_safety.checks.bounds import LOWER_BOUNDS, UPPER_BOUNDS, check_bounds
from operator_controller.crd_safety.checks.change import Change, FieldCheck
from operator_controller.crd_safety.checks.default import DEFAULT, check_default
from operator_controller.crd_safety.checks.definitions import (
    DEFINITION_CHECKS,
    FIELD_REMOVAL,
    PRUNING,
    SCOPE,
    SERVED_VERSION_REMOVAL,
    STORED_VERSION_REMOVAL,
)
from operator_controller.crd_safety.checks.enum import ENUM, check_enum
from operator_controller.crd_safety.checks.nullable import NULLABLE, check_nullable
from operator_controller.crd_safety.checks.one_of import ONE_OF, check_one_of
from operator_controller.crd_safety.checks.pattern import PATTERN, check_pattern
from operator_controller.crd_safety.checks.required import REQUIRED, check_required
from operator_controller.crd_safety.checks.type_changed import TYPE, check_type
from operator_controller.crd_safety.checks.unhandled import DECIDED_FORMATS, UNHANDLED, check_unhandled

__all__ = [
    "Change",
    "DECIDED_FORMATS",
    "DEFINITION_CHECKS",
    "FIELD_CHECKS",
    "FIELD_NAMES",
    "FIELD_REMOVAL",
    "FieldCheck",
    "PRUNING",
    "SCOPE",
    "SERVED_VERSION_REMOVAL",
    "STORED_VERSION_REMOVAL",
    "ONE_OF",
    "TYPE",
    "UNHANDLED",
]

FIELD_CHECKS: tuple[FieldCheck, ...] = (
    check_type,
    check_required,
    check_default,
    check_enum,
    check_bounds,
    check_pattern,
    check_nullable,
    check_one_of,
    check_unhandled,
)
FIELD_NAMES = (
    TYPE,
    REQUIRED,
    DEFAULT,
    ENUM,
    *LOWER_BOUNDS,
    *UPPER_BOUNDS,
    PATTERN,
    NULLABLE,
    ONE_OF,
    UNHANDLED,
)
