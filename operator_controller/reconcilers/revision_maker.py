"""From a target to its revision: whether one is needed and allowed, its content, its objects.

Called by the reconciler of extensions once the bundle is chosen. Nothing is pulled or rendered when the revision is
there; nothing is written before everything about it is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.api.names import ANNOTATION_BUNDLE_PROPERTIES
from olmv1.constraints import Property
from olmv1.errors import OlmError, RetryableError, TerminalError
from olmv1.manifests import Manifest, annotations_of, name_of
from olmv1.served import Served
from olmv1.telemetry.logs import get_logger
from operator_controller.authorization import Account
from operator_controller.contents import Content, ContentOptions, HelmChart, RegistryBundle, Rendered
from operator_controller.crd_safety import ANNOTATION_CRD_ACCEPT, accepted_of, failure_of
from operator_controller.dependencies import (
    Candidate,
    DependencyVerdict,
    cluster_scoped,
    merged,
    mode_of,
    properties_of_blob,
    properties_of_image,
    read_properties,
    recorded_properties,
    required_groups,
)
from operator_controller.operator_conditions import condition_for, hold_of
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.preflight import MissingKindsError, calls_webhooks, check_kinds, groups_of
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.reconcilers.rights import MissingRightsError
from operator_controller.revisions.desired import (
    ANNOTATION_CAPABILITIES,
    ANNOTATION_CERTIFICATES,
    ANNOTATION_NOTES,
    ANNOTATION_OPERATOR_CONDITION,
    ANNOTATION_OPTIONAL_KINDS,
    Rollout,
)
from operator_controller.revisions.view import RevisionView, active, view_of
from operator_controller.target import Additions, Target, additions_of, for_bundle, needs_rollout, rollout_of

__all__ = ["RevisionMaker"]

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class _Job:
    """One target of one extension on the cluster as it is."""

    ext: ClusterExtension
    manifest: Manifest
    target: Target
    served: Served
    additions: Additions
    rollout: Rollout


class RevisionMaker:
    """Makes revisions through the ports."""

    def __init__(self, ports: ExtensionPorts) -> None:
        self._ports = ports

    async def advance(
        self, ext: ClusterExtension, manifest: Manifest, target: Target, seen: ExtensionOutcome
    ) -> ExtensionOutcome:
        """A new revision when the target needs one and may have it.

        Raises: RetryableError when the API server cannot be asked.
        """
        platform = self._ports.platform
        served = await platform.served()
        additions = additions_of(annotations_of(manifest), await platform.proxy())
        job = _Job(ext, manifest, target, served, additions, rollout_of(ext, target.bundle, additions))
        revisions = seen.revisions or ()
        has_content = await self._has_content(ext.name, revisions)
        is_wanted = needs_rollout(
            job.rollout, revisions, served, has_content=has_content, provider=platform.wanted_provider
        )
        known = self._known_properties(job, seen)
        verdict = await self._check(job, known, is_installed=not is_wanted)
        seen = replace(seen, dependencies=verdict.condition, are_dependencies_known=True, warnings=verdict.warnings)
        self._wait(job, known, verdict, revisions)
        if not is_wanted:
            await self._follow_deadline(job.rollout, seen)
            return seen
        if verdict.failure is not None:
            return replace(seen, failure=verdict.failure)
        if (hold := await self._hold(job, seen.installed)) is not None:
            return replace(seen, failure=hold)
        return await self._make(job, known, seen)

    async def _make(self, job: _Job, known: Sequence[Property], seen: ExtensionOutcome) -> ExtensionOutcome:
        """Pull, render, check again with what only the image knows, and create."""
        bundle, waits = job.target.bundle, self._ports.waits
        try:
            content = await self._ports.contents.load(bundle.image)
            own = _own_properties(content)
            properties = merged(known, own)
            rendered, condition = await self._render(job, content)
            verdict = await self._check(job, properties, is_installed=False, objects=rendered.objects)
            seen = replace(seen, dependencies=verdict.condition, warnings=(*verdict.warnings, *rendered.warnings))
            if verdict.failure is not None:
                groups = {_group_of(name) for name in _definitions(rendered.objects)}
                waits.note(job.ext.name, required_groups(properties) | groups, is_for_others=True)
                return replace(seen, failure=verdict.failure)
            kinds = check_kinds(rendered.objects, job.served)
            seen = replace(seen, warnings=(*seen.warnings, *kinds.warnings, *await self._judge(job, kinds.objects)))
            recorded = {
                ANNOTATION_BUNDLE_PROPERTIES: recorded_properties(known, own),
                ANNOTATION_CAPABILITIES: rendered.capabilities or "",
                ANNOTATION_CERTIFICATES: self._provider(job, rendered.objects),
                ANNOTATION_NOTES: rendered.notes or "",
                ANNOTATION_OPERATOR_CONDITION: condition,
                ANNOTATION_OPTIONAL_KINDS: kinds.recorded,
            }
            if job.rollout.account is not None:
                await self._ports.rights.require(kinds.objects, Account(*job.rollout.account))
            kept = {name: value for name, value in recorded.items() if value}
            await self._create(replace(job.rollout, properties=rendered.properties, recorded=kept), kinds.objects)
        except MissingKindsError as error:
            waits.note(job.ext.name, error.groups | required_groups(known), is_for_others=bool(known))
            return replace(seen, failure=for_bundle(bundle, error))
        except MissingRightsError as error:
            waits.note(job.ext.name, required_groups(known), is_for_others=bool(known), is_for_rights=True)
            return replace(seen, failure=for_bundle(bundle, error))
        except OlmError as error:
            self._ports.checks.release(job.ext.name)
            return replace(seen, failure=for_bundle(bundle, error))
        revisions = tuple(view_of(item) for item in self._ports.revisions.of(job.ext.name))
        self._wait(job, properties, verdict, revisions)
        return replace(seen, revisions=revisions)

    async def _hold(self, job: _Job, base: RevisionView | None) -> OlmError | None:
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

    async def _render(self, job: _Job, content: Content) -> tuple[Rendered, str]:
        """The objects, and the name of the OperatorCondition among them, empty without one."""
        condition = None
        if isinstance(content, RegistryBundle) and self._ports.conditions is not None:
            condition = condition_for(content.bundle, job.ext.spec.namespace, job.served)
        options = replace(self._options(job), operator_condition=condition is not None)
        rendered = await self._ports.contents.render(content, options)
        if condition is None:
            return rendered, ""
        return replace(rendered, objects=(*rendered.objects, condition)), name_of(condition)

    async def _judge(self, job: _Job, objects: Sequence[Manifest]) -> tuple[str, ...]:
        """What is worth a warning about the CRDs that change.

        Raises: RetryableError when they must not change so. TerminalError: the accepted findings cannot be read.
        """
        accepted = accepted_of(annotations_of(job.manifest).get(ANNOTATION_CRD_ACCEPT, ""))
        enforcement = "Strict" if job.ext.spec.enforces_crd_upgrade_safety else "None"
        verdicts = await self._ports.definitions.verdicts(job.ext.name, objects, enforcement, accepted)
        failure = failure_of(verdicts)
        if failure is not None:
            raise RetryableError(failure)
        return tuple(text for verdict in verdicts for text in verdict.warnings)

    async def _create(self, rollout: Rollout, objects: Sequence[Manifest]) -> None:
        created = await self._ports.revisions.create(rollout, objects)
        log.info(
            "revision created",
            revision=name_of(created),
            bundle=rollout.bundle.name,
            version=rollout.bundle.version,
            objects=len(objects),
        )

    async def _check(
        self, job: _Job, properties: Sequence[Property], *, is_installed: bool, objects: Sequence[Manifest] = ()
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
        self, job: _Job, properties: Sequence[Property], verdict: DependencyVerdict, revisions: Sequence[RevisionView]
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

    def _known_properties(self, job: _Job, seen: ExtensionOutcome) -> tuple[Property, ...]:
        """What is known without the image: what the revision of this bundle recorded, else the catalog's blob."""
        same = [item for item in active(seen.revisions or ()) if item.inputs == job.rollout.inputs]
        recorded = read_properties(same[-1].annotations.get(ANNOTATION_BUNDLE_PROPERTIES)) if same else None
        if recorded is not None:
            return recorded
        return () if job.target.blob is None else properties_of_blob(job.target.blob)

    def _options(self, job: _Job) -> ContentOptions:
        config = job.ext.spec.config.inline if job.ext.spec.config is not None else None
        return ContentOptions(
            extension=job.ext.name,
            namespace=job.ext.spec.namespace,
            version=job.target.bundle.version,
            config=config,
            served=job.served,
            certificates=self._ports.platform.certificates(job.served),
            ignore_hooks=job.additions.ignores_hooks,
            api_roles=job.additions.has_api_roles,
            proxy=job.additions.proxy,
        )

    def _provider(self, job: _Job, objects: Iterable[Manifest]) -> str:
        """Who makes the certificates of the webhooks among `objects`; empty when there are none."""
        has_webhooks = any(calls_webhooks(manifest) for manifest in objects)
        return self._ports.platform.certificates(job.served).value if has_webhooks else ""

    async def _follow_deadline(self, rollout: Rollout, seen: ExtensionOutcome) -> None:
        newest = (seen.rolling or ((seen.installed,) if seen.installed else ()))[-1]
        if newest.deadline_min != rollout.deadline_min:
            await self._ports.revisions.set_deadline(newest.name, rollout.deadline_min)

    async def _has_content(self, name: str, revisions: Sequence[RevisionView]) -> bool:
        """Whether the newest active revision can still be read."""
        newest = active(revisions)[-1:]
        sets = [item for item in self._ports.revisions.of(name) if newest and name_of(item) == newest[0].name]
        return all([await self._ports.revisions.has_all_secrets(item) for item in sets])


def _own_properties(content: Content) -> tuple[Property, ...]:
    """What the image says about itself."""
    match content:
        case RegistryBundle():
            return properties_of_image(content.bundle)
        case HelmChart():
            return tuple(Property(each.type, each.value) for each in content.properties)


def _definitions(objects: Iterable[Manifest]) -> Iterable[str]:
    return (name_of(item) for item in objects if item.get("kind") == "CustomResourceDefinition")


def _group_of(definition: str) -> str:
    """`things.example.com` → `example.com`."""
    return definition.partition(".")[2]
