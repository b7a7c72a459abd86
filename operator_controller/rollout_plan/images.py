"""The images that the objects run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from olmv1.manifests import Manifest
from operator_controller.rollout_plan.parts import mapping_at, mappings_at

__all__ = ["ImageChanges", "image_changes"]

_CONTAINERS = ("containers", "initContainers")
_RELATED = "RELATED_IMAGE_"
"""Operators take the images of what they run from variables that are called so."""
_KINDS = frozenset({"CronJob", "DaemonSet", "Deployment", "Job", "Pod", "ReplicaSet", "StatefulSet"})


@dataclass(frozen=True, slots=True)
class ImageChanges:
    """References as they are written, sorted."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


def image_changes(old: Iterable[Manifest], new: Iterable[Manifest]) -> ImageChanges:
    """The images of containers, and those that operators are told to run, which come and go."""
    before, after = _images(old), _images(new)
    return ImageChanges(tuple(sorted(after - before)), tuple(sorted(before - after)))


def _images(objects: Iterable[Manifest]) -> set[str]:
    pods = (pod for each in objects if each.get("kind") in _KINDS for pod in _pods(mapping_at(each, "spec")))
    return {image for pod in pods for image in _of_pod(pod)}


def _pods(spec: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The specification of the pods in that of a workload, however many templates it is in."""
    while spec:
        yield spec
        spec = mapping_at(spec, "jobTemplate" if "jobTemplate" in spec else "template", "spec")


def _of_pod(pod: Mapping[str, Any]) -> Iterator[str]:
    for container in (each for name in _CONTAINERS for each in mappings_at(pod, name)):
        if isinstance(image := container.get("image"), str):
            yield image
        for variable in mappings_at(container, "env"):
            value = variable.get("value")
            if str(variable.get("name")).startswith(_RELATED) and isinstance(value, str) and value:
                yield value
