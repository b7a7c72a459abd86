"""The queue of revisions, and what its reconciler acts through."""

from __future__ import annotations

from olmv1.api.names import CONTROLLER_CLUSTER_OBJECT_SET
from olmv1.kube.controller import Controller
from operator_controller.pace import Pace
from operator_controller.reconcilers.object_set import ObjectSetPorts, ObjectSetReconciler
from operator_controller.rollout.content import Contents
from operator_controller.rollout.engine import Engine
from operator_controller.rollout.observe import Observer
from operator_controller.rollout.pods import Pods
from operator_controller.rollout.revisions import Revisions
from operator_controller.rollout.teardown import Teardown
from operator_controller.wiring.base import RECONCILE_DEADLINE_S, Base

__all__ = ["object_sets"]


def object_sets(base: Base) -> tuple[Controller, ObjectSetPorts]:
    """The queue and the ports."""
    settings, watches = base.settings, base.watches
    contents = Contents(base.client, settings.namespace)
    queues: list[Controller] = []
    pace = Pace()

    def wake(name: str) -> None:
        queues[0].enqueue_after(name, pace.delay_s(name))  # the queue comes last: its reconciler needs the observer

    observer = Observer(base.caches, wake)
    ports = ObjectSetPorts(
        client=base.client,
        extensions=watches.extensions,
        sets=watches.sets,
        accounts=watches.accounts,
        revisions=Revisions(base.client, watches.sets, watches.secrets, settings.namespace),
        contents=contents,
        observer=observer,
        engine=Engine(base.client, base.discovery, observer, contents),
        pods=Pods(base.client),
        teardown=Teardown(base.client, base.discovery),
        events=base.events,
        drifted=base.metrics.drifted,
        allow_unscoped=settings.allow_unscoped,
    )
    queues.append(
        Controller(
            CONTROLLER_CLUSTER_OBJECT_SET,
            ObjectSetReconciler(ports).reconcile,
            workers=settings.workers,
            registry=base.registry,
            deadline_s=RECONCILE_DEADLINE_S,
        )
    )
    return queues[0], ports
