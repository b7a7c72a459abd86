"""What the next upgrade of an extension would change, and the approval of it: `olm plan` and `olm approve`.

Asks a cluster, pulls and renders as the controller does. What a plan is, and what its hash covers, is decided in
`operator_controller.rollout_plan` and `operator_controller.approval`. Imported by commands only once they run.
"""

from __future__ import annotations

from olm_cli.planning.outlook import Outlook, State, outlook_on
from olm_cli.planning.report import blocks_of, document_of
from olm_cli.planning.subject import PlanSubject, subject_named
from olm_cli.planning.writing import Approval, approve_plan

__all__ = [
    "Approval",
    "Outlook",
    "PlanSubject",
    "State",
    "approve_plan",
    "blocks_of",
    "document_of",
    "outlook_on",
    "subject_named",
]
