"""From a target to its revision: whether one is needed and allowed, its content, its objects.

Called by the reconciler of extensions once the bundle is chosen. Nothing is pulled or rendered when the revision is
there; nothing is written before everything about it is known.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.names import ANNOTATION_BUNDLE_PROPERTIES
from olmv1.constraints import Property
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.manifests import Manifest, annotations_of, name_of
from olmv1.telemetry.logs import get_logger
from operator_controller.approval import (
    ANNOTATION_APPROVED,
    finding_ids,
    is_approved,
    needs_approval,
    pending,
    plan_hash,
    policy_of,
    unspent_approval,
)
from operator_controller.authorization import Account
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT, CrdVerdict, accepted_of, failure_of
from operator_controller.dependencies import (
    Candidate,
    DependencyVerdict,
    cluster_scoped,
    merged,
    mode_of,
    properties_of_blob,
    read_properties,
    recorded_properties,
    required_groups,
)
from operator_controller.operator_conditions import hold_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.preflight import MissingKindsError, check_kinds, groups_of
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.preparation import Job, Preparation, Prepared
from operator_controller.reconcilers.rights import MissingRightsError
from operator_controller.revisions.desired import (
    ANNOTATION_CAPABILITIES,
    ANNOTATION_OPERATOR_CONDITION,
    ANNOTATION_OPTIONAL_KINDS,
    Rollout,
)
from operator_controller.revisions.view import RevisionView, active, view_of
from operator_controller.target import Target, additions_of, for_bundle, needs_rollout, rollout_of

__all__ = ["RevisionMaker"]

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """How far a revision has come; every step replaces what it found out."""

    job: Job
    prepared: Prepared
    properties: tuple[Property, ...]
    """What catalog and image say together."""
    seen: ExtensionOutcome
    recorded: dict[str, str]
    """Annotations of the revision."""
    objects: tuple[Manifest, ...]
    verdict: DependencyVerdict | None = None
    definitions: tuple[CrdVerdict, ...] = ()

    @property
    def is_held(self) -> bool:
        """Whether the outcome says why it goes no further."""
        return self.seen.failure is not None or self.seen.pending is not None


class RevisionMaker:
    """Makes revisions through the ports."""

    def __init__(self, ports: ExtensionPorts) -> None:
        self._ports = ports
        self._preparation = Preparation(ports)

    def forget(self, extension: str) -> None:
        """Nothing is wanted for the extension any more."""
        self._ports.checks.release(extension)
        self._preparation.forget(extension)

    async def advance(
        self, ext: ClusterExtension, manifest: Manifest, target: Target, seen: ExtensionOutcome
    ) -> ExtensionOutcome:
        """A new revision when the target needs one and may have it.

        Raises: RetryableError when the API server cannot be asked.
        """
        job, revisions = await self._job(ext, manifest, target), seen.revisions or ()
        has_content = await self._has_content(ext.name, revisions)
        provider = self._ports.platform.wanted_provider
        is_wanted = needs_rollout(job.rollout, revisions, job.served, has_content=has_content, provider=provider)
        known = self._known_properties(job, seen)
        verdict = await self._check(job, known, is_installed=not is_wanted)
        seen = replace(seen, dependencies=verdict.condition, are_dependencies_known=True, warnings=verdict.warnings)
        self._wait(job, known, verdict, revisions)
        if not is_wanted:
            self._preparation.forget(ext.name)
            await self._keep_up(job.rollout, seen)
            return replace(seen, is_approval_known=True)
        if verdict.failure is not None:
            return replace(seen, failure=verdict.failure)
        if (hold := await self._hold(job, seen.installed)) is not None:
            return replace(seen, failure=hold)
        return await self._make(job, known, seen)

    async def _job(self, ext: ClusterExtension, manifest: Manifest, target: Target) -> Job:
        platform = self._ports.platform
        served = await platform.served()
        additions = additions_of(annotations_of(manifest), await platform.proxy())
        return Job(ext, manifest, target, served, additions, rollout_of(ext, target.bundle, additions))

    async def _make(self, job: Job, known: Sequence[Property], seen: ExtensionOutcome) -> ExtensionOutcome:
        """Pull and render, then one check after the other with what only the image knows; the last step creates."""
        steps = (
            self._check_requirements,
            self._check_kinds,
            self._compare_definitions,
            self._await_approval,
            self._refuse_harm,
            self._check_rights,
            self._create,
        )
        try:
            attempt = _started(job, await self._preparation.of(job), known, seen)
            for step in steps:
                attempt = await step(attempt)
                seen = attempt.seen
                if attempt.is_held:
                    break
        except OlmError as error:
            self._wait_after(job, known, error)
            return replace(seen, failure=for_bundle(job.target.bundle, error))
        return seen

    async def _check_requirements(self, attempt: _Attempt) -> _Attempt:
        job, objects = attempt.job, attempt.objects
        verdict = await self._check(job, attempt.properties, is_installed=False, objects=objects)
        warnings = (*verdict.warnings, *attempt.prepared.rendered.warnings)
        seen = replace(attempt.seen, dependencies=verdict.condition, warnings=warnings)
        if verdict.failure is not None:
            groups = {_group_of(name) for name in _definitions(objects)}
            self._ports.waits.note(job.ext.name, required_groups(attempt.properties) | groups, is_for_others=True)
            return replace(attempt, seen=replace(seen, failure=verdict.failure))
        return replace(attempt, verdict=verdict, seen=seen)

    async def _check_kinds(self, attempt: _Attempt) -> _Attempt:
        kinds = check_kinds(attempt.objects, attempt.job.served)
        recorded = {**attempt.recorded, **({ANNOTATION_OPTIONAL_KINDS: kinds.recorded} if kinds.recorded else {})}
        seen = replace(attempt.seen, warnings=(*attempt.seen.warnings, *kinds.warnings))
        return replace(attempt, objects=kinds.objects, recorded=recorded, seen=seen)

    async def _compare_definitions(self, attempt: _Attempt) -> _Attempt:
        """What the CRDs do to the objects that are stored, in words; nothing is refused yet."""
        job = attempt.job
        accepted = accepted_of(annotations_of(job.manifest).get(ANNOTATION_CRD_ACCEPT, ""))
        enforcement = "Strict" if job.ext.spec.enforces_crd_upgrade_safety else "None"
        verdicts = await self._ports.definitions.verdicts(job.ext.name, attempt.objects, enforcement, accepted)
        warnings = tuple(text for verdict in verdicts for text in verdict.warnings)
        seen = replace(attempt.seen, warnings=(*attempt.seen.warnings, *warnings))
        return replace(attempt, definitions=verdicts, seen=seen)

    async def _await_approval(self, attempt: _Attempt) -> _Attempt:
        """Hold an upgrade that waits for a person. Rule: decision 20."""
        job, prepared, seen = attempt.job, attempt.prepared, replace(attempt.seen, is_approval_known=True)
        annotations, base, wanted = annotations_of(job.manifest), seen.installed, job.target.bundle
        attempt = replace(attempt, seen=seen)
        if base is None or not needs_approval(policy_of(annotations), base.bundle, wanted):
            return attempt
        findings, basis = finding_ids(attempt.definitions, prepared.rendered.warnings), prepared.rendered.basis
        plan = await asyncio.to_thread(plan_hash, attempt.objects, prepared.digest, findings, basis=basis)
        approval = unspent_approval(annotations, [each.annotations for each in seen.revisions or ()])
        under_way = [each.annotations for each in seen.rolling if each.bundle.is_same_as == wanted.is_same_as]
        if is_approved(plan, approval, under_way):
            return replace(attempt, recorded={**attempt.recorded, ANNOTATION_APPROVED: plan})
        condition = pending(base.bundle, wanted, plan, approval)
        return replace(attempt, seen=replace(seen, pending=condition))

    async def _refuse_harm(self, attempt: _Attempt) -> _Attempt:
        if (failure := failure_of(attempt.definitions)) is not None:
            raise RetryableError(failure)
        return attempt

    async def _check_rights(self, attempt: _Attempt) -> _Attempt:
        account = attempt.job.rollout.account
        if account is not None:
            await self._ports.rights.require(attempt.objects, Account(*account))
        return attempt

    async def _create(self, attempt: _Attempt) -> _Attempt:
        job, bundle = attempt.job, attempt.job.target.bundle
        properties = attempt.prepared.rendered.properties
        rollout = replace(job.rollout, properties=properties, recorded=attempt.recorded)
        created = await self._ports.revisions.create(rollout, attempt.objects)
        log.info(
            "revision created",
            revision=name_of(created),
            bundle=bundle.name,
            version=bundle.version,
            objects=len(attempt.objects),
        )
        self._preparation.forget(job.ext.name)
        revisions = tuple(view_of(item) for item in self._ports.revisions.of(job.ext.name))
        if attempt.verdict is not None:
            self._wait(job, attempt.properties, attempt.verdict, revisions)
        return replace(attempt, seen=replace(attempt.seen, revisions=revisions))

    def _wait_after(self, job: Job, known: Sequence[Property], error: OlmError) -> None:
        """Tell the triggers what may help."""
        name, groups, waits = job.ext.name, required_groups(known), self._ports.waits
        match error:
            case MissingKindsError():
                waits.note(name, error.groups | groups, is_for_others=bool(known))
            case MissingRightsError():
                waits.note(name, groups, is_for_others=bool(known), is_for_rights=True)
            case _:
                self._ports.checks.release(name)

    async def _hold(self, job: Job, base: RevisionView | None) -> OlmError | None:
        """What keeps the installed operator from being replaced by another one: its own word. Rule: decision 19."""
        name = base.annotations.get(ANNOTATION_OPERATOR_CONDITION) if base is not None else None
        bundle = job.target.bundle
        conditions = self._ports.conditions
        if base is None or not name or conditions is None:
            return None
        if (base.bundle.name, base.bundle.version) == (bundle.name, bundle.version):
            return None
        text = hold_of(await conditions.get(job.ext.spec.namespace, name))
        if not text:
            return None
        return TerminalError(f'cannot upgrade from bundle "{base.bundle.name}" to "{bundle.name}": {text}')

    async def _check(
        self, job: Job, properties: Sequence[Property], *, is_installed: bool, objects: Sequence[Manifest] = ()
    ) -> DependencyVerdict:
        bundle = job.target.bundle
        candidate = Candidate(
            extension=job.ext.name,
            package=bundle.package,
            bundle=bundle.name,
            version=bundle.version,
            properties=tuple(properties),
            catalog=bundle.catalog,
            is_installed=is_installed,
            created=job.manifest["metadata"].get("creationTimestamp") or "",
            objects=cluster_scoped(objects),
        )
        mode = mode_of(annotations_of(job.manifest))
        return await self._ports.checks.check(candidate, mode, job.served, objects)

    def _wait(
        self, job: Job, properties: Sequence[Property], verdict: DependencyVerdict, revisions: Sequence[RevisionView]
    ) -> None:
        """Tell what only the triggers can notice: APIs that matter, and other extensions."""
        newest = active(revisions)[-1:]
        groups = set(required_groups(properties))
        for revision in newest:
            groups |= groups_of(revision.annotations.get(ANNOTATION_OPTIONAL_KINDS, ""))
            if ANNOTATION_CAPABILITIES in revision.annotations:
                groups |= {"*"}
        is_for_others = verdict.condition is not None or verdict.failure is not None or bool(verdict.warnings)
        self._ports.waits.note(job.ext.name, groups, is_for_others=is_for_others)

    def _known_properties(self, job: Job, seen: ExtensionOutcome) -> tuple[Property, ...]:
        """What is known without the image: what the revision of this bundle recorded, else the catalog's blob."""
        same = [item for item in active(seen.revisions or ()) if item.inputs == job.rollout.inputs]
        recorded = read_properties(same[-1].annotations.get(ANNOTATION_BUNDLE_PROPERTIES)) if same else None
        if recorded is not None:
            return recorded
        return () if job.target.blob is None else properties_of_blob(job.target.blob)

    async def _keep_up(self, rollout: Rollout, seen: ExtensionOutcome) -> None:
        """What changes without another revision: the deadline, and how much history is kept."""
        await self._ports.revisions.prune(rollout.extension)
        newest = (seen.rolling or ((seen.installed,) if seen.installed else ()))[-1]
        if newest.deadline_min != rollout.deadline_min:
            await self._ports.revisions.set_deadline(newest.name, rollout.deadline_min)

    async def _has_content(self, name: str, revisions: Sequence[RevisionView]) -> bool:
        """Whether the newest active revision can still be read."""
        newest = active(revisions)[-1:]
        sets = [item for item in self._ports.revisions.of(name) if newest and name_of(item) == newest[0].name]
        return all([await self._ports.revisions.has_all_secrets(item) for item in sets])


def _started(job: Job, prepared: Prepared, known: Sequence[Property], seen: ExtensionOutcome) -> _Attempt:
    """The first attempt: everything is known, nothing is checked."""
    own = prepared.properties
    recorded = {**prepared.recorded}
    if properties := recorded_properties(known, own):
        recorded[ANNOTATION_BUNDLE_PROPERTIES] = properties
    return _Attempt(job, prepared, merged(known, own), seen, recorded, prepared.rendered.objects)


def _definitions(objects: Iterable[Manifest]) -> Iterable[str]:
    return (name_of(item) for item in objects if item.get("kind") == "CustomResourceDefinition")


def _group_of(definition: str) -> str:
    """`things.example.com` → `example.com`."""
    return definition.partition(".")[2]
