"""What an installed operator says about being replaced. Rule: decision 19."""

from __future__ import annotations

from olm_cli.cluster import explained
from olmv1.kube.client import KubeClient
from olmv1.kube.errors import NotFound
from olmv1.kube.resources import Resource
from olmv1.served import Served
from operator_controller.operator_conditions import GROUP, KIND, hold_of
from operator_controller.revisions.desired import ANNOTATION_OPERATOR_CONDITION
from operator_controller.revisions.view import RevisionView

__all__ = ["operator_word"]

_PLURAL = "operatorconditions"
_VERSIONS = ("v2", "v1")


async def operator_word(client: KubeClient, served: Served, namespace: str, base: RevisionView | None) -> str:
    """Why the operator of revision `base` must not be replaced now; empty when it may.

    Raises:
        CannotTell: the cluster does not answer.
    """
    name = None if base is None else base.annotations.get(ANNOTATION_OPERATOR_CONDITION)
    version = next((each for each in _VERSIONS if served.has(GROUP, KIND, each)), None)
    if not name or version is None:
        return ""
    with explained(f"read {KIND} {namespace}/{name}"):
        try:
            return hold_of(await client.get(Resource(GROUP, version, _PLURAL, KIND, True), name, namespace))
        except NotFound:
            return ""
