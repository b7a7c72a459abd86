"""What the account of an extension must be allowed, what it lacks, and the manifests that give it. Pure.

`missing_rights` is the check before a new revision, for the reconciler; `needs_of`, `wanted_rights` and
`installer_documents` are what `olm rbac` writes with; both rest on the same needs, so that one cannot ask for what the
other does not give. Rule: applying.md 4, rbac.md.
"""

from __future__ import annotations

from operator_controller.authorization.check import Missing, MissingGrant, missing_rights, review_of
from operator_controller.authorization.installer import Document, Installer, installer_documents
from operator_controller.authorization.mappings import KindMap, MappedKind, unmapped
from operator_controller.authorization.message import MissingRule, compacted, message_of
from operator_controller.authorization.needs import Grant, Needs, Use, needs_of
from operator_controller.authorization.rights import PolicyRule, Right, RightSet, rights_in
from operator_controller.authorization.snapshot import Account, RbacSnapshot, RoleRef, slim_rbac
from operator_controller.authorization.surplus import Surplus, surplus_of
from operator_controller.authorization.wanted import Grants, Reason, Section, Wanted, wanted_rights

__all__ = [
    "Account",
    "Document",
    "Grant",
    "Grants",
    "Installer",
    "KindMap",
    "MappedKind",
    "Missing",
    "MissingGrant",
    "MissingRule",
    "Needs",
    "PolicyRule",
    "RbacSnapshot",
    "Reason",
    "Right",
    "RightSet",
    "RoleRef",
    "Section",
    "Surplus",
    "Use",
    "Wanted",
    "compacted",
    "installer_documents",
    "message_of",
    "missing_rights",
    "needs_of",
    "review_of",
    "rights_in",
    "slim_rbac",
    "surplus_of",
    "unmapped",
    "wanted_rights",
]
