"""The properties of a bundle from its two sources: the blob of the catalog, and what is inside the image.

Rule: dependencies.md 2 and 6, decisions 5 and 11.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from olmv1 import fbc
from olmv1.constraints import Property, visible
from olmv1.yaml import dump_json
from operator_controller.bundle.model import Api, Bundle

__all__ = ["UNUSED_TYPES", "merged", "properties_of_blob", "properties_of_dependencies", "properties_of_image"]

UNUSED_TYPES = frozenset({"olm.bundle.object", "olm.csv.metadata"})
"""Large, about display only: no requirement is met by them, rules do not see them and they are not recorded."""

_REQUIRED: Mapping[str, str] = {
    "olm.package": "olm.package.required",
    "olm.gvk": "olm.gvk.required",
    "olm.label": "olm.label.required",
    "olm.constraint": "olm.constraint",
}


def properties_of_blob(bundle: fbc.Bundle) -> tuple[Property, ...]:
    """What the catalog says; a value that is not JSON counts as absent."""
    return tuple(_decoded(bundle))


def properties_of_image(bundle: Bundle) -> tuple[Property, ...]:
    """What the bundle itself says: its properties, what it declares, and the APIs of its ClusterServiceVersion."""
    own = (Property(each.type, each.value) for each in bundle.properties if each.type not in UNUSED_TYPES)
    declared = properties_of_dependencies((each.type, each.value) for each in bundle.dependencies)
    apis = (
        *(Property("olm.gvk", _gvk(api)) for api in bundle.owned_apis),
        *(Property("olm.gvk.required", _gvk(api)) for api in bundle.required_apis),
    )
    minimum = (Property("olm.kubeversion", {"version": bundle.min_kube_version}),) if bundle.min_kube_version else ()
    return merged((*own, *declared, *apis, *minimum))


def properties_of_dependencies(dependencies: Iterable[tuple[str, object]]) -> tuple[Property, ...]:
    """The entries (type, value) of `metadata/dependencies.yaml` as the properties that a catalog makes of them.

    Unknown types are left out, as by every other reader.
    """
    return tuple(
        Property(_REQUIRED[type_], _package_required(value) if type_ == "olm.package" else value)
        for type_, value in dependencies
        if type_ in _REQUIRED
    )


def merged(*sources: Iterable[Property]) -> tuple[Property, ...]:
    """All properties in order, equal ones once; values that are nested absurdly deep are left out."""
    found: dict[tuple[str, bytes], Property] = {}
    for source in sources:
        for each in visible(source):
            found.setdefault((each.type, dump_json(each.value, sorted=True)), each)
    return tuple(found.values())


def _decoded(bundle: fbc.Bundle) -> Iterator[Property]:
    for each in bundle.properties:
        if each.type in UNUSED_TYPES:
            continue
        try:
            yield Property(each.type, msgspec.json.decode(bytes(each.value)))
        except (msgspec.DecodeError, RecursionError):
            continue


def _package_required(value: object) -> object:
    """`{packageName, version}` → `{packageName, versionRange}`."""
    if not isinstance(value, Mapping):
        return value
    return {("versionRange" if key == "version" else key): member for key, member in value.items()}


def _gvk(api: Api) -> dict[str, str]:
    return {"group": api.group, "kind": api.kind, "version": api.version}
