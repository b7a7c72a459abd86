"""What an installed extension provides and requires, and who needs it. Imported only when one extension is asked about.

The requirements are those that its revision recorded, evaluated against the cluster as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from olm_cli.asking.neighbours import Neighbours, neighbours_of
from olm_cli.problems import CannotTell
from olmv1.constraints import Judgement, apis_of, evaluate, requirements_of, text_of
from olmv1.kube.client import KubeClient
from olmv1.rules import IsolatedRules
from operator_controller.dependencies import ClusterFacts, dependents_of
from operator_controller.dependencies.worlds import world_now

__all__ = ["apis_known"]

_NOTHING: Mapping[str, Any] = {"provides": None, "requires": None, "neededBy": None, "problem": ""}


async def apis_known(client: KubeClient, name: str) -> Mapping[str, Any]:
    """`provides`, `requires` and `neededBy` as lists of plain values; each is `None` when it is not known.

    `problem` says why; whoever may look at the extension only gets everything else.
    """
    try:
        around = await neighbours_of(client, name)
    except CannotTell as error:
        return {**_NOTHING, "problem": str(error)}
    return await asyncio.to_thread(_apis, name, around)


def _apis(name: str, around: Neighbours) -> Mapping[str, Any]:
    cluster = ClusterFacts(around.extensions, around.served, rules=IsolatedRules())
    own = cluster.extensions.by_name[name]
    dependents = [
        {"extension": each.extension, "bundle": each.bundle, "requires": each.requirement, "also": list(each.also)}
        for each in dependents_of(name, cluster)
    ]
    if own.properties is None:
        problem = f'the revision of bundle "{own.bundle}" recorded no properties'
        return {**_NOTHING, "neededBy": dependents, "problem": problem}
    judgements = evaluate(requirements_of(own.properties), world_now(cluster), cluster.rules).judgements
    return {
        "provides": [
            {"group": group, "version": version, "kind": kind}
            for group, version, kind in sorted(apis_of(own.properties), key=lambda api: (api[2], api[0], api[1]))
        ],
        "requires": [_requirement(each) for each in judgements],
        "neededBy": dependents,
        "problem": "",
    }


def _requirement(judgement: Judgement) -> Mapping[str, Any]:
    predicate, finding = judgement.requirement.predicate, judgement.finding
    return {
        "expression": "; ".join(judgement.errors) if predicate is None else text_of(predicate),
        "satisfied": judgement.is_met,
        "satisfiedBy": [] if finding is None else list(finding.by),
    }
