"""What `olm rollback` is made of: the bundle to go back to, the change of spec that asks for it, what follows from it.

Imported by the command only once it runs. What may be chosen or rolled out is decided in the rooms of the controller.
"""

from __future__ import annotations

from olm_cli.rolling_back.outlook import Outlook, outlook_on
from olm_cli.rolling_back.report import blocks_of, document_of
from olm_cli.rolling_back.subject import Subject, subject_named
from olm_cli.rolling_back.writing import write_change

__all__ = ["Outlook", "Subject", "blocks_of", "document_of", "outlook_on", "subject_named", "write_change"]
