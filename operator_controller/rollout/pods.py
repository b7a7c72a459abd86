"""Why a workload is not healthy: its pods are asked, as the controller, while its probe fails and at no other time.

No watch: pods come and go by the thousand in a cluster. A failing workload is asked after two seconds, so that a
rollout that goes well costs nothing, and then ever more rarely as long as the answer stays.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from olmv1.errors import OlmError
from olmv1.kube.client import KubeClient
from olmv1.kube.resources import DEPLOYMENTS, PODS, Resource
from olmv1.manifests import Manifest, ObjectKey, is_deleting, name_of, uid_of
from olmv1.telemetry.logs import get_logger
from operator_controller.revisions.ownership import controller_of
from operator_controller.status.pods import pod_troubles

__all__ = ["PodReport", "Pods"]

log = get_logger(__name__)

_WORKLOADS: Mapping[tuple[str, str], Resource] = {
    ("apps", "Deployment"): DEPLOYMENTS,
    ("apps", "StatefulSet"): Resource("apps", "v1", "statefulsets", "StatefulSet", namespaced=True),
    ("apps", "DaemonSet"): Resource("apps", "v1", "daemonsets", "DaemonSet", namespaced=True),
    ("batch", "Job"): Resource("batch", "v1", "jobs", "Job", namespaced=True),
}
_MOST_WORKLOADS = 10
"""Of one revision: each costs two requests at a look."""
_FIRST_WAIT_S = 2.0
_LONGEST_WAIT_S = 300.0


@dataclass(frozen=True, slots=True)
class PodReport:
    """What the pods say, by workload, and in how many seconds they are to be asked again (`None`: never)."""

    texts: Mapping[ObjectKey, tuple[str, ...]] = field(default_factory=dict)
    look_in_s: float | None = None


@dataclass(frozen=True, slots=True)
class _Known:
    """The last answer about a workload and the time (monotonic seconds) of the next question."""

    texts: tuple[str, ...]
    due: float
    wait_s: float


class Pods:
    """Remembers what it was told, by the UID of the revision."""

    def __init__(self, reader: KubeClient, clock: Callable[[], float] = time.monotonic) -> None:
        self._reader = reader
        self._clock = clock
        self._known: dict[str, dict[ObjectKey, _Known]] = {}

    async def report(self, owner_uid: str, failing: Sequence[ObjectKey], *, is_old: bool) -> PodReport:
        """What the pods of the workloads among `failing` say; raises nothing.

        `is_old`: they failed before this process looked, so there is no reason to wait with the first question.
        """
        keys = [key for key in failing if (key.group, key.kind) in _WORKLOADS and key.namespace][:_MOST_WORKLOADS]
        before = self._known.pop(owner_uid, {})
        if not keys:
            return PodReport()
        first = _Known((), self._clock() + (0.0 if is_old else _FIRST_WAIT_S), _FIRST_WAIT_S)
        known = {key: await self._looked(key, before.get(key, first)) for key in keys}
        self._known[owner_uid] = known
        texts = {key: each.texts for key, each in known.items() if each.texts}
        return PodReport(texts, max(0.0, min(each.due for each in known.values()) - self._clock()))

    def forget(self, owner_uid: str) -> None:
        """The revision is gone."""
        self._known.pop(owner_uid, None)

    async def _looked(self, key: ObjectKey, known: _Known) -> _Known:
        if self._clock() < known.due:
            return known
        try:
            texts = await self._ask(key)
        except OlmError as problem:  # the failing probe is told all the same
            log.debug("pods not read", workload=str(key), problem=str(problem))
            texts = known.texts
        is_news = texts != known.texts
        wait_s = _FIRST_WAIT_S if is_news else min(2 * known.wait_s, _LONGEST_WAIT_S)
        return _Known(texts, self._clock() + wait_s, wait_s)

    async def _ask(self, key: ObjectKey) -> tuple[str, ...]:
        workload = await self._reader.get(_WORKLOADS[key.group, key.kind], key.name, key.namespace)
        selector = _selector_text((workload.get("spec") or {}).get("selector") or {})
        if not selector:
            return ()
        # One page is enough: three pods are named.
        async for page in self._reader.pages(PODS, key.namespace, query={"labelSelector": selector}):
            return pod_troubles(workload, [pod for pod in page.items if _is_of(pod, workload) and not is_deleting(pod)])
        return ()


def _is_of(pod: Manifest, workload: Manifest) -> bool:
    """Whether the workload made the pod; a Deployment makes it through a ReplicaSet that carries its name."""
    owner = controller_of(pod)
    if owner is None:
        return False
    if workload.get("kind") == "Deployment":
        return owner.get("kind") == "ReplicaSet" and str(owner.get("name")).startswith(f"{name_of(workload)}-")
    return owner.get("uid") == uid_of(workload)


def _selector_text(selector: Mapping[str, object]) -> str:
    """A label selector as the query of a list wants it."""
    labels, expressions = selector.get("matchLabels") or {}, selector.get("matchExpressions") or ()
    parts = [f"{key}={value}" for key, value in labels.items()] if isinstance(labels, Mapping) else []
    parts += [_requirement(item) for item in expressions] if isinstance(expressions, Sequence) else []
    return ",".join(parts)


def _requirement(item: Mapping[str, object]) -> str:
    key, values = item.get("key"), item.get("values") or ()
    listed = ",".join(map(str, values)) if isinstance(values, Sequence) else ""
    match item.get("operator"):
        case "In":
            return f"{key} in ({listed})"
        case "NotIn":
            return f"{key} notin ({listed})"
        case "DoesNotExist":
            return f"!{key}"
        case _:
            return str(key)
