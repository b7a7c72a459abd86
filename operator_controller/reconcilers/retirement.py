"""The end of a revision: taken down when it is archived or deleted, then let go. Rule: revisions.md 6.5.

Not held up by an account, a right or a Secret that went first: then garbage collection finishes by owner references.
But for objects that are to be kept: garbage collection would take them, so they wait for the account.
"""

from __future__ import annotations

from dataclasses import replace

from olmv1.errors import RetryableError, TerminalError
from olmv1.kube.errors import ApiError, NotFound
from olmv1.manifests import Manifest, uid_of
from operator_controller.outcome.object_set import ObjectSetOutcome
from operator_controller.reconcilers.writers import MissingAccountError, Writers
from operator_controller.revisions.plan import Plan
from operator_controller.revisions.view import is_torn_down
from operator_controller.rollout.content import Contents
from operator_controller.rollout.teardown import Remains, Teardown

__all__ = ["Retirement"]


class Retirement:
    """Takes revisions down."""

    def __init__(self, writers: Writers, contents: Contents, teardown: Teardown) -> None:
        self._writers = writers
        self._contents = contents
        self._teardown = teardown

    async def step(self, object_set: Manifest, seen: ObjectSetOutcome) -> tuple[ObjectSetOutcome, tuple[str, ...]]:
        """One step of taking `object_set` down, and why the account could not finish it.

        Raises:
            RetryableError: the API server could not be asked.
        """
        remains = await self._remove(object_set)
        if remains.waiting:
            return replace(seen, is_tearing_down=True, waiting_for=remains.waiting), ()
        return replace(seen, is_torn_down=True), remains.refusals

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._contents.forget(owner_uid)
        self._teardown.forget(owner_uid)

    async def _remove(self, object_set: Manifest) -> Remains:
        if "orphan" in (object_set["metadata"].get("finalizers") or ()) or is_torn_down(object_set):
            return Remains()
        try:
            plan = await self._contents.plan(object_set)
            writer = self._writers.writer_for(object_set)
        except MissingAccountError as error:
            return await self._left(object_set, plan, Remains(refusals=(str(error),)))
        except TerminalError as error:
            return Remains(refusals=(str(error),))
        except RetryableError as error:
            if _may_heal(error):
                raise
            return Remains(refusals=(str(error),))
        return await self._left(object_set, plan, await self._teardown.remove(uid_of(object_set), plan, writer))

    async def _left(self, object_set: Manifest, plan: Plan, remains: Remains) -> Remains:
        """`remains`; raises RetryableError when what is left to garbage collection is to be kept."""
        if remains.refusals and not remains.waiting:
            kept = await self._teardown.kept(uid_of(object_set), plan)
            if kept:
                listed, reasons = ", ".join(map(str, kept)), "; ".join(remains.refusals)
                raise RetryableError(f"{listed}: is to be kept, and the revision cannot let go of it: {reasons}")
        return remains


def _may_heal(error: BaseException | None) -> bool:
    """Whether content could not be read for a passing reason; a Secret that is gone or changed will not come back."""
    while error is not None:
        if isinstance(error, ApiError) and not isinstance(error, NotFound):
            return True
        error = error.__cause__
    return False
