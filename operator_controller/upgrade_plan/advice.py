"""Signals that speak against an upgrade without forbidding it. Rule: issue "May this cluster be upgraded?"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from olmv1.fbc import Bundle
from olmv1.manifests import ObjectKey
from operator_controller.resolver import PackageIndex
from operator_controller.upgrade_plan.goal import Goal, Platform
from operator_controller.upgrade_plan.removed_apis import removed_apis
from operator_controller.upgradeability import Minor

__all__ = ["PUBLISHED", "Advisory", "AdvisoryKind", "advice_on_bundle", "advice_on_objects", "published_range"]

PUBLISHED = "com.redhat.openshift.versions"
"""The property, or the annotation of the CSV, in which a publisher says where a bundle is offered."""

_RANGE = re.compile(r"(?P<only>=?)v?(?P<low>[0-9]{1,4}\.[0-9]{1,4})(?:-v?(?P<high>[0-9]{1,4}\.[0-9]{1,4}))?", re.ASCII)
_TEXT = msgspec.json.Decoder(str)
_METADATA = msgspec.json.Decoder(dict[str, Any])


class AdvisoryKind(StrEnum):
    """What a signal comes from."""

    PUBLISHED_RANGE = "PublishedOpenShiftRange"
    KUBERNETES_TOO_OLD = "MinKubeVersion"
    REMOVED_API = "RemovedKubernetesApi"


@dataclass(frozen=True, slots=True)
class Advisory:
    """One signal, in a sentence."""

    kind: AdvisoryKind
    message: str


def published_range(text: str) -> tuple[Minor, Minor | None] | None:
    """The lowest and the highest version of `v4.12-v4.16`, `=v4.14`, `v4.12` or `v4.5,v4.6`; `None` if it is none.

    Lists mean "from the first on": that is how they are read where bundles are published.
    """
    found = _RANGE.fullmatch(text.split(",", maxsplit=1)[0].strip())
    if found is None:
        return None
    low = Minor.of_version(found["low"])
    if found["only"]:
        return low, low
    return low, Minor.of_version(found["high"]) if found["high"] else None


def advice_on_bundle(index: PackageIndex, bundle: Bundle, goal: Goal) -> Iterator[Advisory]:
    """What the catalog tells of an installed bundle: its published range, and the Kubernetes that it needs."""
    if goal.platform is Platform.OPENSHIFT:
        yield from _on_range(bundle, goal)
    needs = index.environments.of(bundle)
    if goal.kubernetes is not None and needs.kubernetes[:2] > goal.kubernetes:
        text = f'bundle "{bundle.name}" needs Kubernetes >= {needs.least}, {goal.target} has {goal.kubernetes_text}'
        yield Advisory(AdvisoryKind.KUBERNETES_TOO_OLD, text)


def advice_on_objects(objects: Iterable[ObjectKey], goal: Goal) -> Iterator[Advisory]:
    """The objects whose API the target does not serve any more."""
    for found in removed_apis(objects, goal.kubernetes) if goal.kubernetes is not None else ():
        yield Advisory(AdvisoryKind.REMOVED_API, str(found))


def _on_range(bundle: Bundle, goal: Goal) -> Iterator[Advisory]:
    text = _published(bundle)
    found = published_range(text)
    if found is None:
        return
    low, high = found
    target = goal.minors[-1]
    if target < low or (high is not None and target > high):
        message = f'bundle "{bundle.name}" is published for OpenShift {text} only'
        yield Advisory(AdvisoryKind.PUBLISHED_RANGE, message)


def _published(bundle: Bundle) -> str:
    for value in bundle.property_values(PUBLISHED):
        try:
            return _TEXT.decode(value)
        except msgspec.DecodeError:
            continue
    for value in bundle.property_values("olm.csv.metadata"):
        try:
            annotations = _METADATA.decode(value).get("annotations")
        except msgspec.DecodeError:
            continue
        if isinstance(annotations, Mapping) and isinstance(annotations.get(PUBLISHED), str):
            return str(annotations[PUBLISHED])
    return ""
