"""The loop of the reporter when something is wrong with it; what it writes is tested in tests/api."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime
from typing import cast

from prometheus_client import CollectorRegistry

from olmv1.kube.caches import Caches
from olmv1.kube.client import KubeClient
from olmv1.kube.discovery import Discovery
from operator_controller.cluster_operator import ClusterOperatorMode, Reporter, ReporterPorts
from operator_controller.upgradeability import CurrentVersion
from tests.waiting import eventually


async def test_bug_in_a_report_is_counted_and_does_not_end_the_loop() -> None:
    asked, registry = list[int](), CollectorRegistry()

    async def current() -> CurrentVersion | None:
        asked.append(1)
        if len(asked) == 1:
            raise ValueError("nobody thought of this")
        return None

    reporter = Reporter(
        ReporterPorts(
            client=cast(KubeClient, None),
            caches=cast(Caches, None),
            discovery=cast(Discovery, None),
            current=current,
            verdicts=lambda _: {},
            now=lambda: datetime.now(UTC),
            mode=ClusterOperatorMode.AUTO,
            namespace="olmv1-system",
            release="",
        ),
        registry,
    )
    task = asyncio.create_task(reporter.run())
    await eventually(lambda: asked)
    reporter.ask()
    await eventually(lambda: task.done() or len(asked) == 2)
    errors = registry.get_sample_value("olmv1_cluster_operator_write_errors_total", {"mode": "off"})
    assert (task.done(), errors) == (False, 1.0)
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
