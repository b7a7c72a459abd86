"""The check of definitions that the controller makes before an upgrade, on a cluster. Imported with its client."""

from __future__ import annotations

from collections.abc import Iterable

from olm_cli.crd_checking.asking import definitions_named, definitions_of_extension, stored_objects
from olm_cli.crd_checking.checking import Check, checked
from olm_cli.crd_checking.places import Definitions
from olmv1.api.cluster_extension import ClusterExtension
from olmv1.kube.client import KubeClient
from olmv1.manifests import Manifest, name_of
from operator_controller.crd_safety import (
    ANNOTATION_CRD_ACCEPT,
    ObjectsToRead,
    Stored,
    StoredCheck,
    accepted_of,
    is_definition,
)
from operator_controller.revisions.ownership import controller_of

__all__ = ["upgrade_checks"]

_MOST_OBJECTS = 20_000


async def upgrade_checks(client: KubeClient, ext: ClusterExtension, objects: Iterable[Manifest]) -> tuple[Check, ...]:
    """Every definition among `objects`, and every one that would go, by name; none when the extension asks for none.

    Raises:
        CannotTell: the cluster does not answer.
        TerminalError: what the extension accepts cannot be read.
    """
    if not ext.spec.enforces_crd_upgrade_safety:
        return ()
    accepted = accepted_of(ext.annotations.get(ANNOTATION_CRD_ACCEPT, ""))
    new = {name_of(each): each for each in objects if is_definition(each)}
    named = await definitions_named(client, new)
    managed = (await definitions_of_extension(client, ext.name)).found
    doomed = {name: each for name, each in managed.items() if controller_of(each) is not None}  # the others stay
    old = Definitions(named.place, {**doomed, **named.found})

    async def read(wanted: ObjectsToRead, check: StoredCheck) -> Stored:
        return await stored_objects(client, wanted, check, _MOST_OBJECTS)

    return await checked(old, Definitions("the bundle", new), accepted, read)
