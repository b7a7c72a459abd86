"""Objects of one identity become one object. Rule: bundle-rendering.md 15, row 4.

The revision engine refuses two objects of one identity; 90 published bundles have them, most often a webhook Service
that is generated and in the bundle.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from olmv1.manifests import Manifest, ObjectKey, key_of, name_of
from operator_controller.bundle import BundleError
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.improvements.merging import ContradictionError, merged
from operator_controller.renderer.improvements.service_merging import merged_services
from operator_controller.renderer.options import Rendering

__all__ = ["duplicates"]

# Generated before the objects of the bundle; every other generated object comes after them.
_GENERATED_FIRST = frozenset({"ServiceAccount", "Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding"})
_GENERATED = "the ClusterServiceVersion"


def duplicates(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """Equal objects collapse; what only one of them says is taken over; a generated one stands in for the others.

    Raises: BundleError that names both sources, for objects that say different things.
    """
    groups: Mapping[ObjectKey, list[int]] = defaultdict(list)
    for index, manifest in enumerate(objects):
        groups[_identity(manifest)].append(index)
    kept: dict[int, Manifest] = dict(enumerate(objects))
    warnings = []
    for indexes in groups.values():
        if len(indexes) > 1:
            twins = [objects[index] for index in indexes]
            one, sources = _merged(twins, rendering)
            for index in indexes:
                del kept[index]
            kept[indexes[0]] = one
            warnings.append(f"{_called(one)} is rendered once; it comes from {' and '.join(sources)}")
    return Improved(tuple(kept[index] for index in sorted(kept)), tuple(warnings))


def _identity(manifest: Manifest) -> ObjectKey:
    """Group, kind, namespace and name: two versions of one object are the same object."""
    return replace(key_of(manifest), version="")


def _merged(twins: Sequence[Manifest], rendering: Rendering) -> tuple[Manifest, list[str]]:
    sources = _sources(twins, rendering)
    pairs = sorted(zip(twins, sources, strict=True), key=lambda pair: pair[1] != _GENERATED)
    one, first_source = pairs[0]
    for other, source in pairs[1:]:
        is_generated = first_source == _GENERATED and source != _GENERATED
        try:
            if is_generated and one["kind"] == "Service":
                one = merged_services(one, other, rendering)
            else:
                one = merged(one, other)
        except ContradictionError as error:
            raise BundleError(f"{_called(one)} is in {first_source} and in {source} with different {error}") from error
    return one, [source for _, source in pairs]


def _sources(twins: Sequence[Manifest], rendering: Rendering) -> list[str]:
    """Where each of the twins comes from, in their order."""
    bundle, kind, name = rendering.bundle, twins[0]["kind"], name_of(twins[0])
    paths = bundle.other_paths or ("manifests",) * len(bundle.others)
    authored = [
        path
        for path, other in zip(paths, bundle.others, strict=True)
        if (other["kind"], name_of(other)) == (kind, name)
    ][: len(twins)]
    generated = [_GENERATED] * (len(twins) - len(authored))
    return [*generated, *authored] if kind in _GENERATED_FIRST else [*authored, *generated]


def _called(manifest: Manifest) -> str:
    return f'{manifest["kind"]} "{name_of(manifest)}"'
