"""A revision moved phase by phase, as its service account.

The next phase starts when every object of the present one is complete. A pass at rest makes no request: an object that
is what we made of it is left alone. Rule: revisions.md 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.errors import Forbidden
from olmv1.rules import IsolatedRules
from operator_controller.outcome.object_set import ObjectReport, PhaseReport
from operator_controller.revisions.plan import PlannedPhase
from operator_controller.rollout.content import Contents
from operator_controller.rollout.judging import Judging
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.one_pass import OnePass
from operator_controller.rollout.pass_inputs import Revision, Shared
from operator_controller.rollout.refusals import Refusals
from operator_controller.rollout.rehearsal import refusals, rehearse
from operator_controller.rollout.webhooks import Webhooks

__all__ = ["Applied", "Engine"]


@dataclass(frozen=True, slots=True)
class Applied:
    """The reports of all phases that were reached, and what went wrong."""

    phases: tuple[PhaseReport, ...]
    failure: OlmError | None = None


class Engine:
    """Applies revisions; reads as the controller, writes as the account of each revision."""

    def __init__(self, reader: KubeClient, discovery: Discovery, observer: Observer, contents: Contents) -> None:
        webhooks = Webhooks(reader, discovery, contents)
        self._shared = Shared(reader, discovery, observer, contents, webhooks, Judging(reader, IsolatedRules()))
        self._refusals = Refusals()

    async def apply(self, revision: Revision) -> Applied:
        """How far the revision came in this pass.

        The failure is a `TerminalError` when the stored content is not what it was; else some object could not be
        applied, or would be refused (then nothing of its phase is written), and the message has one line per object.
        When the account was refused, the refusals of the later phases are in it too, found by dry-runs.
        """
        one_pass = OnePass(self._shared, revision)
        reports: list[PhaseReport] = []
        failures: list[OlmError] = []
        reached = 0
        for index, phase in enumerate(revision.plan.phases):
            results = await _phase(one_pass, index, phase)
            reached = index
            failures += [result for result in results if isinstance(result, OlmError)]
            one_pass.is_hindered = bool(failures)
            report = PhaseReport(index, phase.name, tuple(r for r in results if isinstance(r, ObjectReport)))
            reports.append(report)
            if (failures or not report.is_complete) and not revision.is_installed:
                break
        if failures:
            return Applied(tuple(reports), await self._failure(one_pass, reached, failures))
        self._refusals.forget(revision.owner.uid)
        return Applied(tuple(reports))

    def forget(self, owner_uid: str) -> None:
        """Drop what is remembered of a revision that is gone."""
        self._refusals.forget(owner_uid)
        self._shared.previews.forget(owner_uid)
        self._shared.disputes.forget(owner_uid)
        self._shared.judging.forget(owner_uid)

    async def _failure(self, one_pass: OnePass, reached: int, failures: Sequence[OlmError]) -> OlmError:
        terminal = [failure for failure in failures if isinstance(failure, TerminalError)]
        if terminal:
            return terminal[0]
        revision, texts = one_pass.revision, tuple(str(failure) for failure in failures)
        lines = (*texts, *await self._shared.webhooks.advice(revision.object_set, revision.plan, texts))
        if not any(isinstance(failure.__cause__, Forbidden) for failure in failures):
            waits = [f.retry_after_s for f in failures if isinstance(f, RetryableError) and f.retry_after_s is not None]
            return RetryableError("\n".join(lines), retry_after_s=max(waits, default=None))
        uid = revision.owner.uid
        more = self._refusals.known(uid, lines)
        if more is None:
            later = [planned for phase in revision.plan.phases[reached + 1 :] for planned in phase.objects]
            more = await refusals(one_pass, later)
        return RetryableError("\n".join((*lines, *more)), retry_after_s=self._refusals.remember(uid, lines, more))


async def _phase(one_pass: OnePass, index: int, phase: PlannedPhase) -> Sequence[ObjectReport | OlmError]:
    """The result of each object; when something would be refused, only what would be."""
    return await rehearse(one_pass, index, phase.objects) or await one_pass.work(phase.objects)
