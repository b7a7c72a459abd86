"""Writes the approval of exactly the plan that was looked at."""

from __future__ import annotations

from dataclasses import dataclass

from olm_cli.cluster import connected, explained
from olm_cli.options import ClusterOptions
from olm_cli.output import say
from olm_cli.problems import NotThere, Refused
from olmv1.api.vocabulary import ConditionType
from olmv1.conditions import condition_of
from olmv1.kube.errors import Forbidden, Invalid, NotFound
from olmv1.kube.resources import CLUSTER_EXTENSIONS
from olmv1.manifests import Manifest, annotations_of, is_deleting
from operator_controller.approval import ANNOTATION_APPROVE, approval_in, waiting_plan
from operator_controller.target import is_paused

__all__ = ["Approval", "approve_plan"]

_FIELD_MANAGER = "olm-approve"


@dataclass(frozen=True, slots=True)
class Approval:
    """What was approved; `message` is what the condition said. `is_new`: it was not approved before."""

    extension: str
    plan: str
    message: str
    is_new: bool


async def approve_plan(name: str, plan: str | None, cluster: ClusterOptions) -> Approval:
    """Approve the plan that the extension waits for; when a `plan` is given, only if it is that one.

    Raises:
        NotThere: there is no such extension, nothing waits, or another plan does.
        Refused: the API server does not admit it.
        CannotTell: the cluster does not answer.
    """
    async with connected(cluster) as client:
        with explained(f'get ClusterExtension "{name}"'):
            try:
                ext = await client.get(CLUSTER_EXTENSIONS, name)
            except NotFound as error:
                raise NotThere(f'the cluster has no ClusterExtension "{name}"') from error
        waiting = waiting_plan(ext)
        if not waiting:
            raise NotThere(f'ClusterExtension "{name}" waits for no approval{_why_not(ext)}')
        message = str((condition_of(ext, ConditionType.UPGRADE_PENDING) or {}).get("message"))
        if plan is not None and plan != waiting:
            raise NotThere(f'plan "{plan}" is not what waits, nothing was approved: {message}')
        say(message)
        is_new = approval_in(annotations_of(ext)) != waiting
        if is_new:
            doing = f'annotate ClusterExtension "{name}"'
            patch = {"metadata": {"annotations": {ANNOTATION_APPROVE: waiting}}}
            with explained(doing):
                try:
                    await client.patch(CLUSTER_EXTENSIONS, name, patch, field_manager=_FIELD_MANAGER)
                except (Forbidden, Invalid) as error:
                    raise Refused(f"cannot {doing}: {error}") from error
    return Approval(name, waiting, message, is_new)


def _why_not(ext: Manifest) -> str:
    """What keeps an upgrade from waiting that a person may expect to wait."""
    if is_deleting(ext):
        return ": it is being deleted"
    return ": it is paused" if is_paused(annotations_of(ext)) else ""
