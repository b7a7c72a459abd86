"""Looks ahead: the plan of the next rollout of an extension, and what the controller would do with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from olm_cli.asking.operator_word import operator_word
from olm_cli.cluster import listed
from olm_cli.crd_checking import Check
from olm_cli.crd_checking.upgrade import upgrade_checks
from olm_cli.granting import Around, around
from olm_cli.options import ClusterOptions
from olm_cli.planning.content import pulled_content, rendered_as_controller
from olm_cli.planning.installed import objects_of, proxy_of
from olm_cli.planning.subject import PlanSubject
from olmv1.errors import TerminalError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import CLUSTER_OBJECT_SETS
from olmv1.manifests import Manifest, name_of
from operator_controller.approval import UpgradePolicy, is_approved, needs_approval, policy_of, unspent_approval
from operator_controller.authorization import Account, message_of, missing_rights
from operator_controller.certificates.provider import AUTO, choose_provider
from operator_controller.contents import ContentOptions
from operator_controller.crd_safety import failure_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.preflight import MissingKindsError, check_kinds
from operator_controller.renderer import Certificates
from operator_controller.resolver import Chosen, Unresolved
from operator_controller.revisions.desired import ANNOTATION_CERTIFICATES, BundleIdentity
from operator_controller.revisions.view import RevisionView, extension_of, view_of
from operator_controller.rollout_plan import PlanInputs, RolloutPlan, plan_of
from operator_controller.status.paused import paused
from operator_controller.target import (
    Additions,
    Target,
    additions_of,
    for_bundle,
    is_paused,
    needs_rollout,
    rollout_of,
    target_of,
)

__all__ = ["Outlook", "State", "outlook_on"]


class State(StrEnum):
    """What the next rollout waits for."""

    NOTHING = "nothing to do"
    UNDER_WAY = "rolling out already"
    GOES = "needs no approval"
    APPROVED = "approved"
    WAITS = "waits for approval"
    BLOCKED = "blocked"

    @property
    def is_good(self) -> bool:
        """Whether nobody has to do anything."""
        return self not in (State.WAITS, State.BLOCKED)


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What becomes of `subject`; without a `plan` there is nothing to do, or nothing that could be looked at.

    `obstacles` are why the controller would not go on, with approval or without; `checks` those of definitions.
    `image_changed_to` is what the catalog names now for the bundle that is there: decision 7.
    """

    subject: PlanSubject
    state: State
    policy: UpgradePolicy
    installed: BundleIdentity | None = None
    wanted: BundleIdentity | None = None
    plan: RolloutPlan | None = None
    checks: tuple[Check, ...] = ()
    obstacles: tuple[str, ...] = ()
    image_changed_to: str | None = None


@dataclass(frozen=True, slots=True)
class _Job:
    """One bundle for one extension on the cluster as it is."""

    subject: PlanSubject
    sets: tuple[Manifest, ...]
    seen: ExtensionOutcome
    target: Target
    additions: Additions
    pull_cas_dir: Path | None

    @property
    def wanted(self) -> BundleIdentity:
        return self.target.bundle

    @property
    def base(self) -> RevisionView | None:
        return self.seen.installed

    @property
    def under_way(self) -> Iterator[RevisionView]:
        """Revisions of the wanted bundle that are on their way."""
        return (each for each in self.seen.rolling if each.bundle.is_same_as == self.wanted.is_same_as)


async def outlook_on(subject: PlanSubject, cluster: ClusterOptions, pull_cas_dir: Path | None) -> Outlook:
    """The outlook on the next rollout.

    Raises:
        CannotTell: the cluster or a registry does not answer.
    """
    policy = policy_of(subject.annotations)
    if isinstance(subject.found, Unresolved):
        return Outlook(subject, State.BLOCKED, policy, obstacles=(subject.found.message,))
    async with around(cluster, is_asked=True, is_needed=False) as known:
        assert known.client is not None  # it was asked for
        job = await _job(subject, subject.found, known.client, pull_cas_dir)
        outlook = Outlook(
            subject,
            State.UNDER_WAY if any(job.under_way) else State.NOTHING,
            policy,
            None if job.base is None else job.base.bundle,
            job.wanted,
            image_changed_to=job.target.image_changed_to,
        )
        rollout = rollout_of(subject.ext, job.wanted, job.additions)
        if not needs_rollout(rollout, job.seen.revisions or (), subject.served):
            return outlook
        try:
            return await _planned(outlook, job, known, known.client)
        except (TerminalError, MissingKindsError) as error:
            text = str(for_bundle(job.wanted, error))
            return replace(outlook, state=State.BLOCKED, obstacles=(*await _early(job, known.client), text))


async def _job(subject: PlanSubject, found: Chosen, client: KubeClient, pull_cas_dir: Path | None) -> _Job:
    sets = tuple(each for each in await listed(client, CLUSTER_OBJECT_SETS) if extension_of(each) == subject.ext.name)
    seen = ExtensionOutcome(revisions=tuple(sorted(map(view_of, sets), key=lambda view: view.number)))
    target = target_of(subject.request, found, seen, has_catalogs=True)
    additions = additions_of(subject.annotations, await proxy_of(client, subject.served))
    return _Job(subject, sets, seen, target, additions, pull_cas_dir)


async def _planned(outlook: Outlook, job: _Job, known: Around, client: KubeClient) -> Outlook:
    subject, base = job.subject, job.base
    content = await pulled_content(job.wanted.image, job.pull_cas_dir)
    made = await rendered_as_controller(content, _options(job))
    objects = check_kinds(made.objects, subject.served).objects
    checks = await upgrade_checks(client, subject.ext, objects)
    old = [await objects_of(client, each) for each in job.sets if base is not None and name_of(each) == base.name]
    plan = plan_of(
        PlanInputs(
            extension=subject.ext.name,
            wanted=job.wanted,
            new=objects,
            image_digest=content.digest,
            installed=outlook.installed,
            old=[each for objects in old for each in objects],
            definitions=[each.verdict for each in checks],
            warnings=made.warnings,
            basis=made.basis,
            rbac=known.rbac,
        )
    )
    obstacles = (*await _early(job, client), *_harm(checks), *await _lacking(job, objects, known))
    state = _state(outlook.policy, job, plan, obstacles)
    return replace(outlook, state=state, plan=plan, checks=checks, obstacles=obstacles)


def _state(policy: UpgradePolicy, job: _Job, plan: RolloutPlan, obstacles: Sequence[str]) -> State:
    if not needs_approval(policy, plan.installed, plan.wanted):
        return State.BLOCKED if obstacles else State.GOES
    made = [each.annotations for each in job.seen.revisions or ()]
    approval = unspent_approval(job.subject.annotations, made)
    if is_approved(plan.hash, approval, (each.annotations for each in job.under_way)):
        return State.BLOCKED if obstacles else State.APPROVED
    return State.WAITS


def _options(job: _Job) -> ContentOptions:
    """As the controller renders; what its flag says of providers is not known, but the installed revision shows it."""
    spec, served = job.subject.ext.spec, job.subject.served
    recorded = "" if job.base is None else job.base.annotations.get(ANNOTATION_CERTIFICATES, "")
    provider = Certificates(recorded) if recorded in set(Certificates) else choose_provider(AUTO, served)
    return ContentOptions(
        extension=job.subject.ext.name,
        namespace=spec.namespace,
        version=job.wanted.version,
        config=spec.config.inline if spec.config is not None else None,
        served=served,
        certificates=provider,
        ignore_hooks=job.additions.ignores_hooks,
        api_roles=job.additions.has_api_roles,
        proxy=job.additions.proxy,
    )


async def _early(job: _Job, client: KubeClient) -> Sequence[str]:
    """What is in the way before anything is pulled."""
    subject, base = job.subject, job.base
    found = [paused().message] if is_paused(subject.annotations) else []
    found += [subject.requirement] if subject.requirement else []
    word = await operator_word(client, subject.served, subject.ext.spec.namespace, base)
    is_same = base is not None and (base.bundle.name, base.bundle.version) == (job.wanted.name, job.wanted.version)
    if word and base is not None and not is_same:
        found.append(f'cannot upgrade from bundle "{base.bundle.name}" to "{job.wanted.name}": {word}')
    return found


def _harm(checks: Sequence[Check]) -> Iterator[str]:
    failure = failure_of(each.verdict for each in checks)
    if failure is not None:
        yield failure


async def _lacking(job: _Job, objects: Sequence[Manifest], known: Around) -> Sequence[str]:
    """What the account lacks, as the condition will say; nothing where the roles of the cluster are not known."""
    spec = job.subject.ext.spec
    account = spec.service_account.name
    if account is None or not any(True for _ in known.rbac.every_role):
        return ()
    kinds = await known.kinds_of(objects)
    text = message_of(missing_rights(objects, Account(spec.namespace, account), known.rbac, kinds).rules)
    return (text,) if text else ()
