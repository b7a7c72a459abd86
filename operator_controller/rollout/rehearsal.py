"""Dry-runs of what a pass would write, as the account that will write it.

A phase is rehearsed before its first write, so that admission, quota, missing rights and immutable fields stop a
rollout before anything of the phase has changed. What only the phase itself brings (a namespace, a kind, the server of
a webhook) cannot be rehearsed and gets its turn. Rule: revisions.md 5.2, 9 row 1.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from olmv1.api.names import FIELD_MANAGER_OBJECTS
from olmv1.errors import OlmError, RetryableError
from olmv1.kube.errors import ApiError, BadRequest, Forbidden, NotFound
from olmv1.manifests import Manifest, is_deleting
from operator_controller.revisions.ownership import Verdict, decide, foreign_owners, is_controlled_by
from operator_controller.revisions.plan import PlannedObject
from operator_controller.rollout.one_pass import OnePass, refusal_text
from operator_controller.rollout.pass_inputs import Target

__all__ = ["is_inconclusive", "refusals", "rehearse"]

_NO_DRY_RUN = "does not support dry run"
"""What the API server says of an object that a webhook with side effects is called for."""


async def rehearse(one_pass: OnePass, index: int, objects: Sequence[PlannedObject]) -> list[OlmError]:
    """What the API server would refuse of a phase; empty when it may be written.

    A phase that has begun is not asked about again, nor an object that passed while another one of its phase did not.
    """
    previews, owner = one_pass.shared.previews, one_pass.revision.owner
    if one_pass.revision.is_installed or previews.has_begun(owner.uid, index):
        return []
    async with asyncio.TaskGroup() as group:
        looks = [group.create_task(_watched(one_pass, planned)) for planned in objects]
    targets = [target for task in looks if (target := task.result()) is not None]
    failures: list[OlmError] = []
    if not any(_is_ours(one_pass, target) for target in targets):
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_tried(one_pass, target)) for target in targets]
        failures = [failure for task in tasks if (failure := task.result()) is not None]
    if not failures:
        previews.begin(owner.uid, index)
    return failures


async def refusals(one_pass: OnePass, objects: Sequence[PlannedObject]) -> tuple[str, ...]:
    """The rights that these objects would miss, so that the user reads all of them at once."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_refusal(one_pass, planned)) for planned in objects]
    return tuple(line for task in tasks if (line := task.result()) is not None)


def is_inconclusive(error: ApiError) -> bool:
    """Whether a refused dry-run says nothing about the write: it needs what its own phase brings, or is never taken."""
    return isinstance(error, NotFound) or (isinstance(error, BadRequest) and _NO_DRY_RUN in str(error))


async def _watched(one_pass: OnePass, planned: PlannedObject) -> Target | None:
    """`None` for an object that the write itself has to tell about: its kind is not served, or it lacks a namespace."""
    try:
        return await one_pass.watched(planned)
    except OlmError:
        return None


def _is_ours(one_pass: OnePass, target: Target) -> bool:
    live = one_pass.shared.observer.live(target.resource, target.planned.key)
    return live is not None and is_controlled_by(live, one_pass.revision.owner.uid)


async def _tried(one_pass: OnePass, target: Target) -> OlmError | None:
    """Why the API server would refuse the object."""
    planned, previews, owner = target.planned, one_pass.shared.previews, one_pass.revision.owner
    digest = one_pass.digest(planned)
    if previews.has_passed(owner.uid, planned.key, digest):
        return None
    try:
        failure = await _verdict(one_pass, target)
    except ApiError as error:
        failure = error
    except OlmError as error:
        return error
    if failure is None:
        previews.passed(owner.uid, planned.key, digest)
        return None
    if is_inconclusive(failure) or await _is_own_webhook_away(one_pass, failure):
        return None
    found = RetryableError(refusal_text(planned, failure, doing="validating"), retry_after_s=failure.retry_after_s)
    found.__cause__ = failure
    return found


async def _is_own_webhook_away(one_pass: OnePass, failure: ApiError) -> bool:
    """Whether a webhook of the revision itself did not answer: what repairs its server may be in this very phase."""
    revision = one_pass.revision
    return bool(await one_pass.shared.webhooks.advice(revision.object_set, revision.plan, (str(failure),)))


async def _verdict(one_pass: OnePass, target: Target) -> ApiError | None:
    """The refusal of the object; nothing for one that would be left alone.

    One that the watch does not show is taken for new: mostly it is, and then the answer says so without a look.

    Raises:
        OlmError: the object cannot be read, neither in the cluster nor in the revision.
    """
    failure: ApiError | None = None
    if one_pass.shared.observer.live(target.resource, target.planned.key) is None:
        try:
            if await _send(one_pass, target, None):
                one_pass.saw_nothing(target)
                return None
        except ApiError as error:
            failure = error
    async with one_pass.slot():
        live = await one_pass.look(target)
    if live is None:
        return failure
    verdict = decide(live, one_pass.revision.owner, target.planned.protection)
    if is_deleting(live) or verdict not in (Verdict.OURS, Verdict.ADOPT):
        return None
    try:
        await _send(one_pass, target, live)
    except ApiError as error:
        return error
    return None


async def _refusal(one_pass: OnePass, planned: PlannedObject) -> str | None:
    try:
        await _send(one_pass, await one_pass.target(planned), None)
    except Forbidden as error:
        return refusal_text(planned, error, doing="validating")
    except OlmError:
        return None  # its namespace or kind does not exist yet: it gets its turn
    return None


async def _send(one_pass: OnePass, target: Target, live: Manifest | None) -> bool:
    """Whether the object would be created."""
    async with one_pass.slot():
        owners = foreign_owners(live, one_pass.revision.owner) if live is not None else ()
        body = await one_pass.body(target, owners)
        _, is_new = await one_pass.revision.writer.apply_reporting(
            target.resource, body, field_manager=FIELD_MANAGER_OBJECTS, force=True, dry_run=True
        )
        return is_new
