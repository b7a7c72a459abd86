"""What a bundle requires: values that mean nothing, and those that their author may not mean so. Rule: fbc.md 16.13.

What a requirement is, and what is wrong with one, is decided in `olmv1.constraints`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.constraints import REQUIREMENT_TYPES, Property, Rules, Ruling, lint, requirements_of
from olmv1.fbc.validation.facts import Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes

__all__ = ["UNDECIDED", "check_requirements"]


class _Undecided:
    """Takes every rule in CEL for one: for content that nobody vouches for, and for processes that must not wait."""

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:  # noqa: ARG002 - the Protocol's
        """Nothing is known."""
        return Ruling()


UNDECIDED: Rules = _Undecided()


def check_requirements(properties: Sequence[Mapping[str, Any]], rules: Rules, spot: Spot, notes: Notes) -> None:
    """Note what is wrong with the requirements among the properties of a bundle; `rules` knows CEL, or does not."""
    required = [
        Property(each["type"], each["value"])
        for each in properties
        if each.get("type") in REQUIREMENT_TYPES and "value" in each
    ]
    if not required:
        return
    invalid = {requirement.error for requirement in requirements_of(required)}
    advice = {*lint(required, UNDECIDED)} - invalid
    for sentence in lint(required, rules):
        notes.add(spot, Code.REQUIREMENT_ADVICE if sentence in advice else Code.BAD_REQUIREMENT, sentence)
