"""Whether an operator may be replaced, by its OperatorCondition. Rule: upgradeable.md 4.1, "rule"."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.conditions import scrub
from olmv1.manifests import Manifest

__all__ = ["hold_of"]

_TYPE = "Upgradeable"


def hold_of(condition: Manifest | None) -> str:
    """Why the operator must not be replaced now; empty when it may.

    An override of the administrator decides alone. Else the condition in `spec` counts, where operators write with v2,
    else that in `status`, where they write with v1: an old one there says nothing about the present, and holds.
    """
    if condition is None:
        return ""
    spec, status = _part(condition, "spec"), _part(condition, "status")
    override = _found(spec.get("overrides"))
    if override is not None:
        return _said(override)
    own = _found(spec.get("conditions"))
    if own is not None:
        return _said(own)
    reported = _found(status.get("conditions"))
    if reported is None:
        return ""
    generation = _part(condition, "metadata").get("generation")
    if reported.get("observedGeneration") != generation:
        return f'the operatorcondition status "{_TYPE}"="{scrub(str(reported.get("status")))}" is outdated'
    return _said(reported)


def _said(found: Mapping[str, Any]) -> str:
    if found.get("status") != "False":
        return ""
    text = found.get("message") or found.get("reason") or "it does not say why"
    return f"the operator is not upgradeable: {scrub(str(text))}"


def _found(conditions: object) -> Mapping[str, Any] | None:
    listed = conditions if isinstance(conditions, list) else []
    return next((each for each in listed if isinstance(each, Mapping) and each.get("type") == _TYPE), None)


def _part(condition: Manifest, name: str) -> Mapping[str, Any]:
    found = condition.get(name)
    return found if isinstance(found, Mapping) else {}
