"""The content of a revision before it is one: pulled, rendered, and kept while something holds the revision.

Called by the maker of revisions. What is held, for a right, an approval or another extension, is looked at again and
again: it is not pulled and rendered each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from olmv1.api.cluster_extension import ClusterExtension
from olmv1.constraints import Property
from olmv1.manifests import Manifest, name_of
from olmv1.served import Served
from operator_controller.contents import Content, ContentOptions, HelmChart, RegistryBundle, Rendered
from operator_controller.dependencies import properties_of_image
from operator_controller.operator_conditions import condition_for
from operator_controller.preflight import calls_webhooks
from operator_controller.reconcilers.ports import ExtensionPorts
from operator_controller.revisions.desired import (
    ANNOTATION_CAPABILITIES,
    ANNOTATION_CERTIFICATES,
    ANNOTATION_NOTES,
    ANNOTATION_OPERATOR_CONDITION,
    Rollout,
)
from operator_controller.target import Additions, Target, request_in

__all__ = ["Job", "Preparation", "Prepared"]

_KEPT_JOBS = 8
_FRESH_S = 600.0
"""A tag may be pushed anew."""


@dataclass(frozen=True, slots=True)
class Job:
    """One target of one extension on the cluster as it is."""

    ext: ClusterExtension
    manifest: Manifest
    target: Target
    served: Served
    additions: Additions
    rollout: Rollout


@dataclass(frozen=True, slots=True)
class Prepared:
    """What a revision would be made of: `rendered`, what the image says about itself, and what is recorded of it."""

    rendered: Rendered
    properties: tuple[Property, ...]
    digest: str
    """`sha256:…` of the image."""
    recorded: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Kept:
    key: tuple[object, ...]
    since: float
    prepared: Prepared


class Preparation:
    """Prepares jobs through the ports; `clock` gives seconds."""

    def __init__(self, ports: ExtensionPorts, clock: Callable[[], float] = time.monotonic) -> None:
        self._ports = ports
        self._clock = clock
        self._kept: dict[str, _Kept] = {}  # by extension, the oldest first

    async def of(self, job: Job) -> Prepared:
        """The content of `job`, of the last time when nothing that it depends on has changed.

        Raises: TerminalError, RetryableError when it cannot be pulled, read or rendered.
        """
        key, now = self._key(job), self._clock()
        known = self._kept.pop(job.ext.name, None)
        if known is None or known.key != key or now - known.since > _FRESH_S:
            known = _Kept(key, now, await self._prepare(job))
        self._kept[job.ext.name] = known
        while len(self._kept) > _KEPT_JOBS:
            del self._kept[next(iter(self._kept))]
        return known.prepared

    def forget(self, extension: str) -> None:
        """Drop what is kept: the revision is made, or nobody wants it any more."""
        self._kept.pop(extension, None)

    def _key(self, job: Job) -> tuple[object, ...]:
        provider = self._ports.platform.certificates(job.served)
        # A person who asks for another look may have pushed the tag anew.
        request = request_in(job.ext.annotations)
        return (job.ext.uid, job.target.bundle, job.rollout.inputs, request, provider, job.served)

    async def _prepare(self, job: Job) -> Prepared:
        content = await self._ports.contents.load(job.target.bundle.image)
        rendered, condition = await self._render(job, content)
        recorded = {
            ANNOTATION_CAPABILITIES: rendered.capabilities or "",
            ANNOTATION_CERTIFICATES: self._provider(job, rendered.objects),
            ANNOTATION_NOTES: rendered.notes or "",
            ANNOTATION_OPERATOR_CONDITION: condition,
        }
        kept = {name: value for name, value in recorded.items() if value}
        return Prepared(rendered, _own_properties(content), content.digest, kept)

    async def _render(self, job: Job, content: Content) -> tuple[Rendered, str]:
        """The objects, and the name of the OperatorCondition among them, empty without one."""
        condition = None
        if isinstance(content, RegistryBundle) and self._ports.conditions is not None:
            condition = condition_for(content.bundle, job.ext.spec.namespace, job.served)
        options = replace(self._options(job), operator_condition=condition is not None)
        rendered = await self._ports.contents.render(content, options)
        if condition is None:
            return rendered, ""
        return replace(rendered, objects=(*rendered.objects, condition)), name_of(condition)

    def _options(self, job: Job) -> ContentOptions:
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

    def _provider(self, job: Job, objects: Sequence[Manifest]) -> str:
        """Who makes the certificates of the webhooks among `objects`; empty when there are none."""
        has_webhooks = any(calls_webhooks(manifest) for manifest in objects)
        return self._ports.platform.certificates(job.served).value if has_webhooks else ""


def _own_properties(content: Content) -> tuple[Property, ...]:
    """What the image says about itself."""
    match content:
        case RegistryBundle():
            return properties_of_image(content.bundle)
        case HelmChart():
            return tuple(Property(each.type, each.value) for each in content.properties)
