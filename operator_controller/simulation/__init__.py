"""What becomes of extensions when one catalog takes the place of another.

Pure, and above the resolver and its explanations: it asks both twice and compares. Used by `olm simulate`.
"""

from __future__ import annotations

from operator_controller.simulation.outlook import CatalogMove, Outlook, Verdict
from operator_controller.simulation.simulate import Subject, simulate

__all__ = ["CatalogMove", "Outlook", "Subject", "Verdict", "simulate"]
