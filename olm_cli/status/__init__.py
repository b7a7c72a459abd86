"""Extensions of a cluster as they are now: read, put into a few words, printed. Called by `olm status`."""

from __future__ import annotations

from olm_cli.status.details import details
from olm_cli.status.documents import document_of
from olm_cli.status.overview import overview
from olm_cli.status.state import State

__all__ = ["State", "details", "document_of", "overview"]
