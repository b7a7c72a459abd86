"""The rights for every version in question, as manifests that were checked against the check of the controller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from olm_cli.granting.around import Around
from olm_cli.granting.objects import Version
from olmv1.errors import TerminalError
from operator_controller.authorization import (
    Document,
    Grants,
    Installer,
    KindMap,
    Needs,
    RbacSnapshot,
    Wanted,
    installer_documents,
    missing_rights,
    needs_of,
    wanted_rights,
)

__all__ = ["Plan", "plan_of"]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked about: the versions with their kinds and needs, in order, and for whom."""

    installer: Installer
    versions: tuple[Version, ...]
    kinds: tuple[KindMap, ...]
    needs: tuple[Needs, ...]
    around: Around

    def wanted(self, grants: Grants) -> Wanted:
        """The rights that all versions together take."""
        labels = [version.version for version in self.versions]
        return wanted_rights(zip(labels, self.needs, strict=True), grants)

    def documents(self, wanted: Wanted) -> tuple[Document, ...]:
        """The manifests that give them.

        Raises:
            TerminalError: the check of the controller would not be content with them: a fault of this program.
        """
        documents = installer_documents(self.installer, wanted)
        # The roles of the cluster first: those that are written take the place of older ones of the same name.
        alone = RbacSnapshot([*self.around.rbac.every_role, *(document.manifest for document in documents)])
        for version, kinds in zip(self.versions, self.kinds, strict=True):
            missing = missing_rights(version.objects, self.installer.account, alone, kinds)
            if not missing.is_nothing:
                raise TerminalError(
                    f"the rules for {version.package} {version.version} do not suffice: {missing.message}"
                )
        return documents


async def plan_of(installer: Installer, versions: Sequence[Version], around: Around) -> Plan:
    """Everything that is known before rules are written.

    Raises:
        CannotTell: the kind of an object is not known.
    """
    kinds = [await around.kinds_of(version.objects) for version in versions]
    needs = [needs_of(version.objects, known, around.rbac) for version, known in zip(versions, kinds, strict=True)]
    return Plan(installer, tuple(versions), tuple(kinds), tuple(needs), around)
