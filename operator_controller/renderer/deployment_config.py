"""How `deploymentConfig` changes a rendered Deployment.

Called by the Deployments generator with the members that were given, in their typed form. Nothing given is changed.
"All containers" never includes init containers. Rule: bundle-rendering.md 10.7, step 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from olmv1.manifests import Manifest

__all__ = ["MEMBERS", "configured"]

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"


def configured(deployment: Manifest, config: Mapping[str, Any]) -> Manifest:
    """`deployment` after every member of `config`, in the order of the rule."""
    spec = deployment["spec"]
    template = spec["template"]
    pod = template["spec"]
    for name, change in _POD_CHANGES.items():
        if name in config:
            pod = change(pod, config[name])
    metadata = deployment["metadata"]
    template_metadata = template["metadata"]
    if added := config.get("annotations"):
        metadata = _with(metadata, "annotations", {**added, **metadata.get("annotations", {})})
        template_metadata = _with(template_metadata, "annotations", {**added, **template_metadata["annotations"]})
    template = {**template, "metadata": template_metadata, "spec": pod}
    return {**deployment, "metadata": metadata, "spec": {**spec, "template": template}}


def _with(mapping: Manifest, name: str, value: Any) -> Manifest:
    """`mapping` with `name` set, or without it when the value is empty, as its API type writes it."""
    if value:
        return {**mapping, name: value}
    return {key: item for key, item in mapping.items() if key != name}


def _in_containers(name: str, merge: Callable[[Sequence[Any], Sequence[Any]], list[Any]]) -> _Change:
    def change(pod: Manifest, added: Sequence[Any]) -> Manifest:
        containers = [_with(each, name, merge(each.get(name, ()), added)) for each in pod["containers"] or ()]
        return {**pod, "containers": containers or pod["containers"]}

    return change


def _in_pod(name: str, merge: Callable[[Sequence[Any], Sequence[Any]], list[Any]]) -> _Change:
    return lambda pod, added: _with(pod, name, merge(pod.get(name, ()), added))


def _merged_by_name(existing: Sequence[Any], added: Iterable[Any]) -> list[Any]:
    """Replaces the last entry of the same name in place, appends the others; two new ones of a name both stay."""
    merged = list(existing)
    last = {entry["name"]: index for index, entry in enumerate(existing)}
    for entry in added:
        if entry["name"] in last:
            merged[last[entry["name"]]] = entry
        else:
            merged.append(entry)
    return merged


def _merged_distinct(existing: Sequence[Any], added: Iterable[Any]) -> list[Any]:
    """Appends what is not there yet."""
    merged = list(existing)
    for entry in added:
        if entry not in merged:
            merged.append(entry)
    return merged


def _resources(pod: Manifest, resources: Manifest) -> Manifest:
    containers = [{**each, "resources": resources} for each in pod["containers"] or ()]
    return {**pod, "containers": containers or pod["containers"]}


def _node_selector(pod: Manifest, selector: Manifest) -> Manifest:
    return _with(pod, "nodeSelector", selector)


def _affinity(pod: Manifest, affinity: Manifest) -> Manifest:
    if not affinity:
        return _with(pod, "affinity", None)
    merged = dict(pod.get("affinity", {}))
    for name, part in affinity.items():
        if _has_terms(part):
            merged[name] = part
        else:
            merged.pop(name, None)
    return _with(pod, "affinity", merged)


def _has_terms(part: Manifest) -> bool:
    required = part.get(_REQUIRED)
    if isinstance(required, Mapping):
        required = required["nodeSelectorTerms"]
    return bool(required or part.get(_PREFERRED))


_Change = Callable[[Manifest, Any], Manifest]

_POD_CHANGES: Mapping[str, _Change] = {
    "env": _in_containers("env", _merged_by_name),
    "envFrom": _in_containers("envFrom", _merged_distinct),
    "volumes": _in_pod("volumes", _merged_by_name),
    "volumeMounts": _in_containers("volumeMounts", _merged_by_name),
    "tolerations": _in_pod("tolerations", _merged_distinct),
    "resources": _resources,
    "nodeSelector": _node_selector,
    "affinity": _affinity,
}

MEMBERS = (*_POD_CHANGES, "annotations")
