"""The ClusterObjectSets of an extension: reading, creating, archiving and pruning them.

Creation is ordered for a crash after any line: Secrets without owner, then the set that refers to them, then the owner
references. Names are derived from content, so the next pass finds and completes what the last one left.
Rule: revisions.md 3.2, 6.6 and 7.1.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from olmv1.api.names import (
    FIELD_MANAGER_REVISIONS,
    LABEL_OWNER_NAME,
    LABEL_REVISION_NAME,
)
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.caches import Cache, Change
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import AlreadyExists, ApiError, Conflict, NotFound
from olmv1.kube.resources import CLUSTER_OBJECT_SETS, SECRETS
from olmv1.manifests import Manifest, annotations_of, is_deleting, labels_of, name_of, uid_of
from operator_controller.revisions.desired import (
    Rollout,
    as_stored,
    next_number,
    object_set,
    ref_secret,
    superfluous,
)
from operator_controller.revisions.packing import Packed, pack
from operator_controller.revisions.phases import sort_into_phases
from operator_controller.revisions.view import extension_of
from operator_controller.uninstall import ANNOTATION_ON_DELETE, OnDelete, asked_of

__all__ = ["BY_OWNER", "Revisions", "owner_keys"]

BY_OWNER = "owner"
"""Index of the caches of sets and of their Secrets: the name of the extension."""


def owner_keys(obj: Manifest) -> tuple[str, ...]:
    """The index function of `BY_OWNER`: the owner label, and the extension in control, should the label be gone."""
    return tuple(sorted({owner for owner in (labels_of(obj).get(LABEL_OWNER_NAME), extension_of(obj)) if owner}))


class Revisions:
    """Reads and writes the revisions of extensions as the controller; `sets` and `secrets` are watches with `BY_OWNER`.

    `secrets` holds metadata only.
    """

    def __init__(self, client: KubeClient, sets: Cache, secrets: Cache, system_namespace: str) -> None:
        self._client = client
        self._sets = sets
        self._secrets = secrets
        self._system_namespace = system_namespace
        self._created: dict[str, Manifest] = {}
        sets.add_handler(self._seen)

    def of(self, extension: str) -> tuple[Manifest, ...]:
        """All sets of an extension, lowest revision first; one that we just created is there before the watch tells.

        A set that only carries the name of the extension as a label is somebody else's.
        """
        labelled = self._sets.by_index(BY_OWNER, extension)
        found = {name_of(item): item for item in labelled if extension_of(item) == extension}
        created = self._created.get(extension)
        if created is not None:
            found.setdefault(name_of(created), created)
        return tuple(sorted(found.values(), key=lambda item: int(item["spec"]["revision"])))

    async def create(self, rollout: Rollout, objects: Sequence[Manifest]) -> Manifest:
        """A new revision with these objects, after superfluous archived ones are gone.

        Raises:
            TerminalError: the objects do not fit.
            RetryableError: the API server refused something.
        """
        existing = self.of(rollout.extension)
        await self._delete_old(existing, superfluous(existing, is_one_to_come=True))
        number = next_number(_numbers(existing))
        packed = await asyncio.to_thread(_packed, rollout, number, objects)
        wanted = object_set(rollout, number, packed, self._system_namespace)
        for name, data in packed.secrets.items():
            await self._create_secret(ref_secret(name_of(wanted), rollout.extension, name, data))
        try:
            created = await self._client.create(CLUSTER_OBJECT_SETS, wanted)
        except AlreadyExists as error:
            raise await self._taken(rollout.extension, name_of(wanted), error) from error
        except ApiError as error:
            raise _failed("creating new Revision", error) from error
        self._created[rollout.extension] = created
        for name in packed.secrets:
            await self._own_secret(created, name, "patching")
        return created

    async def ensure_complete(self, extension: Manifest) -> None:
        """Put right what a crash left between two writes of `create`, and what an orphaning deletion let go.

        Raises:
            RetryableError: the API server refused something.
        """
        sets = {name_of(item): item for item in self.of(name_of(extension))}
        for item in sets.values():
            if not item["metadata"].get("ownerReferences") and not is_deleting(item):
                await self._own_set(extension, item)
        for secret in self._secrets.by_index(BY_OWNER, name_of(extension)):
            if is_deleting(secret) or secret["metadata"].get("ownerReferences"):
                continue
            revision = labels_of(secret).get(LABEL_REVISION_NAME, "")
            if revision in sets:
                await self._own_secret(sets[revision], name_of(secret), "ensuring")
            elif _number(revision, name_of(extension)) < next_number(_numbers(sets.values())):
                await self._delete_secret(secret)

    async def has_all_secrets(self, object_set: Manifest) -> bool:
        """Whether every Secret that the set refers to exists: without one it can neither be applied nor repaired.

        Raises:
            RetryableError: the API server could not be asked about one that the watch does not know.
        """
        for namespace, name in sorted(set(_references(object_set, self._system_namespace))):
            if self._secrets.get(name, namespace) is None and not await self._exists(namespace, name):
                return False
        return True

    async def prune(self, extension: str) -> None:
        """Delete the archived sets beyond those that are kept; some were still active when the newest was made.

        Raises:
            RetryableError: the API server refused something.
        """
        existing = self.of(extension)
        await self._delete_old(existing, superfluous(existing))

    async def set_deadline(self, revision: str, deadline_min: int | None) -> None:
        """Change the deadline of a revision in place."""
        await self._client.patch(CLUSTER_OBJECT_SETS, revision, {"spec": {"progressDeadlineMinutes": deadline_min}})

    async def archive(self, revision: str) -> None:
        """Mark a revision as past; its own reconciler takes it down."""
        try:
            await self._client.patch(CLUSTER_OBJECT_SETS, revision, {"spec": {"lifecycleState": "Archived"}})
        except NotFound:
            return

    async def delete(self, revision: Manifest, *, is_orphaning: bool = False) -> None:
        """Ask for the deletion of a set; gone already is fine. An orphaning one leaves everything without an owner."""
        how = "Orphan" if is_orphaning else "Background"
        try:
            await self._client.delete(CLUSTER_OBJECT_SETS, name_of(revision), uid=uid_of(revision), propagation=how)
        except (NotFound, Conflict):
            return

    async def delete_all(self, extension: str, asked: OnDelete | None) -> int:
        """Ask for the deletion of every set of an extension; how many are still there.

        `asked`: what becomes of their objects; `None` leaves what was decided before, else everything goes. It is
        written on every set before the first is deleted, so that a crash in between changes nothing about it.
        """
        remaining = self.of(extension)
        wanted = {name_of(item): asked or _decided(item) or OnDelete.CASCADE for item in remaining}
        for item in remaining:
            await self._decide(item, wanted[name_of(item)])
        for item in remaining:
            is_orphaning = wanted[name_of(item)] is OnDelete.ORPHAN
            # Asked again, the API server also orphans what it was only to delete before: minds change.
            if not is_deleting(item) or (is_orphaning and "orphan" not in (item["metadata"].get("finalizers") or ())):
                await self.delete(item, is_orphaning=is_orphaning)
        self._created.pop(extension, None)
        for secret in self._secrets.by_index(BY_OWNER, extension):
            if not remaining and not is_deleting(secret):
                await self._delete_secret(secret)
        return len(remaining)

    def has_undecided(self, extension: str) -> bool:
        """Whether what becomes of the objects of an extension is still open for some set."""
        return any(_decided(item) is None for item in self.of(extension))

    async def _decide(self, object_set: Manifest, wanted: OnDelete) -> None:
        """Write on a set what becomes of its objects."""
        if _decided(object_set) is wanted:
            return
        patch = {"metadata": {"uid": uid_of(object_set), "annotations": {ANNOTATION_ON_DELETE: wanted.value}}}
        try:
            await self._client.patch(CLUSTER_OBJECT_SETS, name_of(object_set), patch)
        except (NotFound, Conflict):
            return  # gone, also when another one has its name now

    def _seen(self, change: Change) -> None:
        """From here on the watch knows the set that we created."""
        for owner in owner_keys(change.object):
            if owner in self._created and name_of(self._created[owner]) == name_of(change.object):
                del self._created[owner]

    async def _delete_old(self, existing: Sequence[Manifest], names: Collection[str]) -> None:
        for item in existing:
            if name_of(item) in names and not is_deleting(item):
                try:
                    await self.delete(item)
                except ApiError as error:
                    raise _failed("garbage collecting old revisions: deleting archived revision", error) from error

    async def _taken(self, extension: str, name: str, error: AlreadyExists) -> OlmError:
        """What to say when a set of the name exists that the watch has not told of: it is behind, or it is not ours."""
        try:
            existing = await self._client.get(CLUSTER_OBJECT_SETS, name)
        except NotFound:
            return _failed("creating new Revision", error)
        except ApiError as problem:
            return _failed("creating new Revision", problem)
        if extension_of(existing) != extension:
            text = f'clusterobjectset "{name}" exists and is no revision of this extension'
            return RetryableError(f"creating new Revision: {text}")
        self._created[extension] = existing
        return _failed("creating new Revision", error)

    async def _exists(self, namespace: str, name: str) -> bool:
        """Asks the API server: the watch knows labelled Secrets of one namespace only, and may be behind."""
        try:
            await self._client.get(SECRETS, name, namespace, metadata_only=True)
        except NotFound:
            return False
        except ApiError as error:
            raise _failed(f'getting ref Secret "{namespace}/{name}"', error) from error
        return True

    async def _create_secret(self, secret: Manifest) -> None:
        metadata = {**secret["metadata"], "namespace": self._system_namespace}
        try:
            await self._client.create(SECRETS, {**secret, "metadata": metadata})
        except AlreadyExists:
            return  # same name, same content: an earlier pass wrote it
        except ApiError as error:
            raise _failed(f'creating ref Secret "{name_of(secret)}"', error) from error

    async def _own_set(self, extension: Manifest, object_set: Manifest) -> None:
        patch = {
            "metadata": {
                "ownerReferences": [_controller("ClusterExtension", extension)],
                "resourceVersion": object_set["metadata"]["resourceVersion"],
            }
        }
        try:
            await self._client.patch(
                CLUSTER_OBJECT_SETS, name_of(object_set), patch, field_manager=FIELD_MANAGER_REVISIONS
            )
        except NotFound:
            return
        except ApiError as error:
            raise _failed(f'ensuring ownerReferences on revision "{name_of(object_set)}"', error) from error

    async def _own_secret(self, owner: Manifest, name: str, doing: str) -> None:
        patch = {"metadata": {"ownerReferences": [_controller("ClusterObjectSet", owner)]}}
        try:
            await self._client.patch(
                SECRETS, name, patch, namespace=self._system_namespace, field_manager=FIELD_MANAGER_REVISIONS
            )
        except ApiError as error:
            raise _failed(f"{doing} ownerReferences on ref Secrets", error) from error

    async def _delete_secret(self, secret: Manifest) -> None:
        try:
            await self._client.delete(SECRETS, name_of(secret), self._system_namespace, uid=uid_of(secret))
        except (NotFound, Conflict):
            return


def _decided(object_set: Manifest) -> OnDelete | None:
    """What is written on a set; `None` when that is nothing, or makes no sense."""
    try:
        return asked_of(annotations_of(object_set))
    except TerminalError:
        return None


def _failed(doing: str, error: ApiError) -> RetryableError:
    return RetryableError(f"{doing}: {error}", retry_after_s=error.retry_after_s)


def _controller(kind: str, owner: Manifest) -> dict[str, Any]:
    return {
        "apiVersion": "olm.operatorframework.io/v1",
        "kind": kind,
        "name": name_of(owner),
        "uid": uid_of(owner),
        "controller": True,
        "blockOwnerDeletion": True,
    }


def _numbers(object_sets: Iterable[Manifest]) -> Iterator[int]:
    return (int(item["spec"]["revision"]) for item in object_sets)


def _references(object_set: Manifest, namespace: str) -> Iterator[tuple[str, str]]:
    """Namespace and name of the Secrets that a set refers to."""
    for phase in object_set["spec"].get("phases") or ():
        for entry in phase.get("objects") or ():
            if ref := entry.get("ref"):
                yield (ref.get("namespace") or namespace, ref["name"])


def _packed(rollout: Rollout, number: int, objects: Sequence[Manifest]) -> Packed:
    """The objects of a revision, stored; hashing and compressing a large bundle takes a thread's time."""
    stored = [as_stored(manifest, rollout.extension, rollout.bundle) for manifest in objects]
    return pack(f"{rollout.extension}-{number}", sort_into_phases(stored))


def _number(revision: str, extension: str) -> int:
    match = re.fullmatch(r"([0-9]{1,18})", revision.removeprefix(f"{extension}-"))
    return int(match.group(1)) if match else 0
