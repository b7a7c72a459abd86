"""Where the cluster is to go: the next minor version, or a later one. Rule: upgradeable.md 3.4, 6.1 and 6.6."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from olmv1.errors import RetryableError, TerminalError
from operator_controller.resolver import kubernetes_version
from operator_controller.upgradeability import CurrentVersion, Minor

__all__ = ["ClusterFacts", "Goal", "Platform", "goal_of"]

_TARGET = re.compile(r"(?:(openshift|kubernetes)=)?v?([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
_KUBERNETES_OF = {4: 13, 5: 36}
"""Major version of OpenShift → what is added to its minor version to get that of its Kubernetes: 4.18 has 1.31."""

_LONGEST_WAY = 100


class Platform(StrEnum):
    """What is upgraded."""

    OPENSHIFT = "OpenShift"
    KUBERNETES = "Kubernetes"


@dataclass(frozen=True, slots=True)
class ClusterFacts:
    """`openshift` is `None` on a cluster without ClusterVersion; `kube_version` is empty when unknown."""

    openshift: CurrentVersion | None = None
    kube_version: str = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """An upgrade of the cluster; `current` is empty when unknown.

    `minors` are the versions of OpenShift on the way, the target last; empty for Kubernetes. `kubernetes`: what the
    target brings, `None` when unknown.
    """

    platform: Platform
    current: str
    target: str
    minors: tuple[Minor, ...] = ()
    kubernetes: tuple[int, int] | None = None

    @property
    def kubernetes_text(self) -> str:
        """`1.32`; empty when unknown."""
        return "" if self.kubernetes is None else f"{self.kubernetes[0]}.{self.kubernetes[1]}"


def goal_of(text: str, cluster: ClusterFacts) -> Goal:
    """The goal that `X.Y` or `kubernetes=X.Y` names; without a text the next minor version of the cluster.

    Raises:
        TerminalError: the text is no such version, or the cluster is not below it.
        RetryableError: nothing is named, and nobody knows the version of the cluster.
    """
    if not text:
        return _next(cluster)
    found = _TARGET.fullmatch(text)
    if found is None:
        raise TerminalError(
            f'--target {text}: expected a minor version such as 4.20 or kubernetes=1.36, found "{text}"'
        )
    major, minor = int(found[2]), int(found[3])
    if found[1] == "kubernetes":
        return _kubernetes((major, minor), cluster.kube_version)
    return _openshift(Minor(major, minor), None if cluster.openshift is None else cluster.openshift.minor)


def _next(cluster: ClusterFacts) -> Goal:
    if cluster.openshift is not None:
        current = cluster.openshift.minor
        if current is None:
            raise RetryableError(f"{cluster.openshift.problem}; name the version to go to with --target X.Y")
        return _openshift(current.next, current)
    known = kubernetes_version(cluster.kube_version)
    if known is None:
        raise RetryableError("nobody says which version the cluster has: name the version to go to with --target X.Y")
    return _kubernetes((known[0], known[1] + 1), cluster.kube_version)


def _openshift(target: Minor, current: Minor | None) -> Goal:
    if current is not None and target <= current:
        text = f"--target {target}: expected a minor version above that of the cluster, which is {current}"
        raise TerminalError(text)
    offset = _KUBERNETES_OF.get(target.major)
    return Goal(
        Platform.OPENSHIFT,
        "" if current is None else str(current),
        str(target),
        minors=tuple(_way(current, target)),
        kubernetes=None if offset is None else (1, target.minor + offset),
    )


def _way(current: Minor | None, target: Minor) -> Iterator[Minor]:
    step = None if current is None else current.next
    for _ in range(_LONGEST_WAY):
        if step is None or step >= target:
            break
        yield step
        step = step.next
    yield target


def _kubernetes(target: tuple[int, int], kube_version: str) -> Goal:
    known = kubernetes_version(kube_version)
    text = f"{target[0]}.{target[1]}"
    if known is not None and target <= known[:2]:
        found = f"expected a minor version above that of the cluster, which is {kube_version}"
        raise TerminalError(f"--target kubernetes={text}: {found}")
    current = "" if known is None else f"{known[0]}.{known[1]}"
    return Goal(Platform.KUBERNETES, current, text, kubernetes=target)
