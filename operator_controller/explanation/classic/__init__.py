"""What OLM Classic would choose where we choose, and the rule that makes the difference.

A simulation for people who come from there; nothing is decided by it. Rule: resolution.md 13 and 15.
"""

from __future__ import annotations

from operator_controller.explanation.classic.chain import Chain, chains_of
from operator_controller.explanation.classic.choice import ClassicChoice, Move, choices_in
from operator_controller.explanation.classic.comparison import Classic, compared
from operator_controller.explanation.classic.difference import Difference, Rule

__all__ = [
    "Chain",
    "Classic",
    "ClassicChoice",
    "Difference",
    "Move",
    "Rule",
    "chains_of",
    "choices_in",
    "compared",
]
