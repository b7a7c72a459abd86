"""Writes the sum of all verdicts where the platform looks for it, when it changes and now and then.

Only the leader runs this. Server-side apply with an own field manager and without force: a condition that somebody else
writes stays theirs, and says so in a metric and the log. Rule: upgradeable.md 6.3 to 6.5.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from prometheus_client import CollectorRegistry, Counter, Gauge

from olmv1.errors import OlmError
from olmv1.kube.caches import Caches, Change
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from olmv1.kube.optional_watch import OptionalWatch
from olmv1.kube.resources import Resource
from olmv1.manifests import Manifest
from olmv1.telemetry.logs import get_logger
from operator_controller.cluster_operator.manifests import (
    NAME,
    OLM_NAME,
    cluster_operator,
    cluster_operator_status,
    olm_status,
)
from operator_controller.cluster_operator.mode import ClusterOperatorMode, choose_mode
from operator_controller.upgradeability import CurrentVersion, Minor, Report, Verdict, VerdictKind, report_of

__all__ = ["Reporter", "ReporterPorts"]

_CLUSTER_OPERATORS = Resource("config.openshift.io", "v1", "clusteroperators", "ClusterOperator", False)
_OLMS = Resource("operator.openshift.io", "v1", "olms", "OLM", False)
_FIELD_MANAGER = "olm.operatorframework.io/upgradeable"
_DEBOUNCE_S = 1.0
_EVERY_S = 600.0
_RETRY_S = (2.0, 5.0, 15.0, 60.0)

log = get_logger(__name__)


@dataclass(frozen=True, slots=True)
class ReporterPorts:
    """What the reporter acts through.

    `verdicts` gives the verdict of every extension that has something installed, by name, at the current version.
    """

    client: KubeClient
    caches: Caches
    discovery: Discovery
    current: Callable[[], Awaitable[CurrentVersion | None]]
    verdicts: Callable[[Minor], Mapping[str, Verdict]]
    now: Callable[[], datetime]
    mode: ClusterOperatorMode
    namespace: str
    release: str


class Reporter:
    """Reports while `run` runs; `ask` says that something may have changed."""

    def __init__(self, ports: ReporterPorts, registry: CollectorRegistry) -> None:
        self._ports = ports
        self._operators = self._watch(_CLUSTER_OPERATORS, NAME)
        self._olms = self._watch(_OLMS, OLM_NAME)
        self._asked = asyncio.Event()
        self._asked.set()
        self._failures = 0
        self._metrics = _Metrics(registry)

    @property
    def definitions(self) -> frozenset[str]:
        """The CRDs whose coming and going changes what is to be written."""
        return frozenset({self._operators.definition, self._olms.definition})

    def ask(self) -> None:
        """Look again soon."""
        self._asked.set()

    async def run(self) -> None:
        """Report for ever."""
        wait_s = 0.0
        while True:
            if wait_s:
                try:
                    async with asyncio.timeout(wait_s):
                        await self._asked.wait()
                except TimeoutError:
                    pass
                else:
                    await asyncio.sleep(_DEBOUNCE_S)  # what changes together is written once
            self._asked.clear()
            wait_s = await self._report()

    async def _report(self) -> float:
        """Write what differs; seconds to the next time."""
        mode = ClusterOperatorMode.OFF
        try:
            current = await self._ports.current()
            if current is not None:
                mode, olm, live = await self._place()
                await self._write(mode, current, olm, live)
            else:
                self._metrics.forget()
        except Exception as error:  # a bug here must not end the process: extensions are worth more than this report
            self._metrics.failed(mode)
            delay = _RETRY_S[min(self._failures, len(_RETRY_S) - 1)]
            self._failures += 1
            bug = None if isinstance(error, OlmError) else error
            text = "the cluster was not told whether it may be upgraded"
            log.warning(text, mode=mode.value, error=str(error), exc_info=bug)
            return delay
        self._failures = 0
        return _EVERY_S

    async def _place(self) -> tuple[ClusterOperatorMode, Manifest | None, Manifest | None]:
        """The mode, the OLM object and the ClusterOperator, as far as they are there."""
        olms, operators = await self._olms.cache(), await self._operators.cache()
        olm = olms.get(OLM_NAME) if olms is not None else None
        live = operators.get(NAME) if operators is not None else None
        mode = choose_mode(self._ports.mode, olm, has_cluster_operators=operators is not None)
        return mode, olm, live

    async def _write(
        self, mode: ClusterOperatorMode, current: CurrentVersion, olm: Manifest | None, live: Manifest | None
    ) -> None:
        ports = self._ports
        verdicts = ports.verdicts(current.minor) if current.minor is not None else {}
        report = report_of(verdicts, current)
        self._metrics.tell(report, current, verdicts)
        match mode:
            case ClusterOperatorMode.OLM_STATUS if olm is not None:
                await self._apply(_OLMS, olm, olm_status(olm, report, ports.now()))
            case ClusterOperatorMode.DIRECT:
                if live is None:
                    live = await ports.client.apply(
                        _CLUSTER_OPERATORS, cluster_operator(), field_manager=_FIELD_MANAGER, force=True
                    )
                wanted = cluster_operator_status(
                    live, report, ports.now(), namespace=ports.namespace, release=ports.release
                )
                await self._apply(_CLUSTER_OPERATORS, live, wanted)

    async def _apply(self, resource: Resource, live: Manifest, wanted: Manifest) -> None:
        if _holds(live.get("status") or {}, wanted["status"]):
            return
        await self._ports.client.apply(resource, wanted, field_manager=_FIELD_MANAGER, subresource="status")

    def _watch(self, resource: Resource, name: str) -> OptionalWatch:
        ports = self._ports
        return OptionalWatch(
            ports.caches, ports.discovery, resource, self._changed, field_selector=f"metadata.name={name}"
        )

    def _changed(self, change: Change) -> None:
        """Somebody else's write, or ours: comparing tells."""
        del change
        self._asked.set()


class _Metrics:
    def __init__(self, registry: CollectorRegistry) -> None:
        self._upgradeable = Gauge(
            "olmv1_cluster_upgradeable",
            "Whether installed extensions allow the next minor version of the cluster: 1, 0, or -1 when unknown.",
            ["current", "next"],
            registry=registry,
        )
        self._extensions = Gauge(
            "olmv1_extension_cluster_upgradeable",
            "Whether an extension allows the next minor version of the cluster: 1, 0, or -1 when unknown.",
            ["name", "package", "version", "max_openshift_version"],
            registry=registry,
        )
        self._errors = Counter(
            "olmv1_cluster_operator_write_errors_total",
            "Failed attempts to tell the platform whether the cluster may be upgraded.",
            ["mode"],
            registry=registry,
        )

    def tell(self, report: Report, current: CurrentVersion, verdicts: Mapping[str, Verdict]) -> None:
        """Show the answers, and no older ones."""
        self.forget()
        known, following = (str(current.minor), str(current.minor.next)) if current.minor else ("", "")
        value = -1 if report.is_upgradeable is None else int(report.is_upgradeable)
        self._upgradeable.labels(known, following).set(value)
        for name, verdict in verdicts.items():
            maximum = "" if verdict.maximum is None else str(verdict.maximum)
            series = self._extensions.labels(name, verdict.bundle.package, verdict.bundle.version, maximum)
            series.set(-1 if verdict.kind is VerdictKind.UNKNOWN else int(not verdict.blocks))

    def forget(self) -> None:
        """Show nothing: the cluster is no OpenShift."""
        self._upgradeable.clear()
        self._extensions.clear()

    def failed(self, mode: ClusterOperatorMode) -> None:
        """Count a failed attempt."""
        self._errors.labels(mode.value).inc()


def _holds(live: object, wanted: object) -> bool:
    """Whether `live` has everything that `wanted` says; lists of conditions are compared by type."""
    if isinstance(wanted, Mapping):
        return isinstance(live, Mapping) and all(_holds(live.get(key), value) for key, value in wanted.items())
    if isinstance(wanted, list) and wanted and isinstance(wanted[0], Mapping) and "type" in wanted[0]:
        known = {item.get("type"): item for item in live} if isinstance(live, list) else {}
        return all(_holds(known.get(item["type"]), item) for item in wanted)
    return live == wanted
