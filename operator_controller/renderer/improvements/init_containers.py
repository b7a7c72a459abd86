"""Init containers that mounted a removed certificate volume. Rule: bundle-rendering.md 15, row 6."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.certificate_volumes import CERTIFICATE_MOUNTS
from operator_controller.renderer.improvements.improved import Improved, for_each
from operator_controller.renderer.improvements.pods import with_pod
from operator_controller.renderer.options import Rendering

__all__ = ["init_containers"]


def init_containers(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """An init container whose certificate volume was taken away mounts the new ones, as containers do.

    The API server refuses a mount without a volume.
    """
    authored = {entry.name: entry.spec["template"]["spec"] for entry in rendering.bundle.deployments}
    return for_each(
        objects,
        lambda each: with_pod(each, lambda pod: _repaired(pod, authored.get(name_of(each), {}))),
    )


def _repaired(pod: Manifest, authored: Mapping[str, Any]) -> Manifest:
    """Only volumes that the author defined count: a mount that never had one is the author's own mistake."""
    gone = _volume_names(authored) - _volume_names(pod)
    if not gone or "initContainers" not in pod:
        return pod
    containers = [_remounted(container, gone) for container in pod["initContainers"]]
    return pod if containers == pod["initContainers"] else {**pod, "initContainers": containers}


def _volume_names(pod: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(volume["name"] for volume in pod.get("volumes", ()))


def _remounted(container: Manifest, gone: frozenset[str]) -> Manifest:
    mounts = container.get("volumeMounts", ())
    kept = [mount for mount in mounts if mount["name"] not in gone]
    if len(kept) == len(mounts):
        return container
    names = {mount["name"] for mount in kept}
    return {**container, "volumeMounts": [*kept, *(each for each in CERTIFICATE_MOUNTS if each["name"] not in names)]}
