"""Whether the entries of metadata/dependencies.yaml have the form that opm demands.

Called by the loader; what they mean is decided elsewhere. Rule: dependencies.md 2; decision 11.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from olmv1.versions import SkipRange
from operator_controller.bundle.model import Property

__all__ = ["dependency_findings"]

_COMPOUND = ("gvk", "package", "all", "any", "not")


def dependency_findings(dependencies: Iterable[Property]) -> Iterator[str]:
    """What is wrong with each entry, `metadata/dependencies.yaml: dependencies[<i>]: <text>`."""
    for index, dependency in enumerate(dependencies):
        for finding in _findings(dependency):
            yield f"metadata/dependencies.yaml: dependencies[{index}]: {finding}"


def _findings(dependency: Property) -> Iterable[str]:
    check = _CHECKS.get(dependency.type)
    if check is None:
        return (f"unsupported dependency type {dependency.type}",)
    if not isinstance(dependency.value, Mapping):
        return (f"couldn't parse dependency of type {dependency.type}",)
    return check(dependency.value)


def _gvk(value: Mapping[str, Any]) -> Iterator[str]:
    for name in ("group", "kind", "version"):
        if not value.get(name):
            yield f"API {name.capitalize()} is empty"


def _package(value: Mapping[str, Any]) -> Iterator[str]:
    if not value.get("packageName"):
        yield "Package name is empty"
    version = value.get("version")
    if not version:
        yield "Package version is empty"
    elif not isinstance(version, str) or not _is_range(version):
        yield "Invalid semver format version"


def _is_range(text: str) -> bool:
    try:
        SkipRange.parse(text)
    except ValueError:
        return False
    return True


def _label(value: Mapping[str, Any]) -> Iterator[str]:
    if not value.get("label"):
        yield "Label information is missing"


def _constraint(value: Mapping[str, Any]) -> Iterator[str]:
    """Unlike opm, which reads only CEL here, compound constraints are fine."""
    if any(name in value for name in _COMPOUND):
        return
    cel = value.get("cel")
    if not cel:
        yield "The CEL field is missing"
    elif not isinstance(cel, Mapping) or not cel.get("rule"):
        yield "The CEL expression is missing"


_CHECKS: Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "olm.gvk": _gvk,
    "olm.package": _package,
    "olm.label": _label,
    "olm.constraint": _constraint,
}
