"""What `olm rbac` is made of: the bundles in question, the cluster around them, and the rules as text.

Which rights are needed is decided in `operator_controller.authorization`. Imported by the command only when it runs.
"""

from __future__ import annotations

from olm_cli.granting.account import Plan, plan_of
from olm_cli.granting.around import Around, apply_documents, around
from olm_cli.granting.comparison import Comparison, compare
from olm_cli.granting.objects import Read, Version, Wish, objects_at, read_source, roles_for_users
from olm_cli.granting.packages import Source, sources_in_catalogs
from olm_cli.granting.text import commented, plain
from operator_controller.authorization import Installer

__all__ = [
    "Around",
    "Comparison",
    "Installer",
    "Plan",
    "Read",
    "Source",
    "Version",
    "Wish",
    "apply_documents",
    "around",
    "commented",
    "compare",
    "objects_at",
    "plain",
    "plan_of",
    "read_source",
    "roles_for_users",
    "sources_in_catalogs",
]
