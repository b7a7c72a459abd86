"""Bindings of the bundle point to the accounts of the bundle. Rule: bundle-rendering.md 15, row 10."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from olmv1.manifests import Manifest, name_of
from operator_controller.renderer.improvements.improved import Improved
from operator_controller.renderer.names import service_account_name
from operator_controller.renderer.options import Rendering

__all__ = ["subjects"]

_BINDINGS = frozenset({"RoleBinding", "ClusterRoleBinding"})
_PLACEHOLDERS = ("", "placeholder", None)


def subjects(objects: tuple[Manifest, ...], rendering: Rendering) -> Improved:
    """A ServiceAccount subject without a true namespace, or of an account of the bundle, is in the install namespace.

    An account is of the bundle when the bundle makes it, or gives it rights in its ClusterServiceVersion. Other
    subjects in other namespaces are warned of: nothing tells whether the author meant them.
    """
    permissions = (*rendering.bundle.permissions, *rendering.bundle.cluster_permissions)
    ours = {service_account_name(permission) for permission in permissions}
    ours |= {name_of(each) for each in objects if each["kind"] == "ServiceAccount"}
    improved, warnings = [], []
    for each in objects:
        if each["kind"] in _BINDINGS and isinstance(each.get("subjects"), list):
            moved = [_moved(subject, ours, rendering.install_namespace) for subject in each["subjects"]]
            warnings += _warnings(each, moved, rendering.install_namespace)
            improved.append(each if moved == each["subjects"] else {**each, "subjects": moved})
        else:
            improved.append(each)
    return Improved(tuple(improved), tuple(warnings))


def _is_account(subject: Any) -> bool:
    return isinstance(subject, dict) and subject.get("kind") == "ServiceAccount"


def _moved(subject: Any, ours: Set[str], namespace: str) -> Any:
    if not _is_account(subject) or subject.get("namespace") == namespace:
        return subject
    is_ours = subject.get("namespace") in _PLACEHOLDERS or str(subject.get("name")) in ours
    return {**subject, "namespace": namespace} if is_ours else subject


def _warnings(binding: Manifest, found: Sequence[Any], namespace: str) -> list[str]:
    elsewhere = sorted(
        f"{subject.get('namespace')}/{subject.get('name')}"
        for subject in found
        if _is_account(subject) and subject.get("namespace") != namespace
    )
    return [
        f'{binding["kind"]} "{name_of(binding)}" gives rights to ServiceAccount "{account}", which is not of the bundle'
        for account in elsewhere
    ]
