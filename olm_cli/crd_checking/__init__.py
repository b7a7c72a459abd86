"""Definitions and objects, from files, bundles and a cluster, for `olm crd-check`; and how its answer is put.

What a change risks is decided in `operator_controller.crd_safety`.
"""

from __future__ import annotations

from olm_cli.crd_checking.checking import Check, checked
from olm_cli.crd_checking.places import Definitions, definitions_at
from olm_cli.crd_checking.report import blocks_of, document_of

__all__ = ["Check", "Definitions", "blocks_of", "checked", "definitions_at", "document_of"]
