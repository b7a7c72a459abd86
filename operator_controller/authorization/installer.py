"""The manifests that make an account able to install an extension, and nothing more. Rule: rbac.md 5."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from olmv1.api.names import GROUP
from operator_controller.authorization.grouping import GroupedRule, grouped
from operator_controller.authorization.rights import Right
from operator_controller.authorization.snapshot import Account
from operator_controller.authorization.wanted import Reason, Wanted

__all__ = ["LABEL_INSTALLER_FOR", "Document", "Installer", "installer_documents"]

LABEL_INSTALLER_FOR = f"{GROUP}/installer-for"
_RBAC = "rbac.authorization.k8s.io"


@dataclass(frozen=True, slots=True)
class Installer:
    """Whose account it is; `role` is the name of its roles and their bindings."""

    extension: str
    account: Account

    @property
    def role(self) -> str:
        """`<extension>-installer`."""
        return f"{self.extension}-installer"


@dataclass(frozen=True, slots=True)
class Document:
    """One manifest; of a role, the reasons for each of its rules in their order."""

    manifest: Mapping[str, Any]
    reasons: tuple[tuple[Reason, ...], ...] = ()


def installer_documents(installer: Installer, wanted: Wanted) -> tuple[Document, ...]:
    """Namespace, ServiceAccount, ClusterRole with its binding, Roles, RoleBindings; the same input, the same output."""
    rights: defaultdict[str, list[Right]] = defaultdict(list)
    for right in wanted.rights:
        rights[right.namespace].append(right)
    roles = {namespace: _role(installer, namespace, found, wanted) for namespace, found in sorted(rights.items())}
    return tuple(_ordered(installer, roles))


def _ordered(installer: Installer, roles: Mapping[str, Document]) -> Iterator[Document]:
    account = installer.account
    yield Document({"apiVersion": "v1", "kind": "Namespace", "metadata": _metadata(installer, account.namespace)})
    metadata = _metadata(installer, account.name, account.namespace)
    yield Document({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata})
    if "" in roles:
        yield roles[""]
        yield _binding(installer, "")
    namespaces = [namespace for namespace in roles if namespace]
    yield from (roles[namespace] for namespace in namespaces)
    yield from (_binding(installer, namespace) for namespace in namespaces)


def _role(installer: Installer, namespace: str, rights: Sequence[Right], wanted: Wanted) -> Document:
    rules = grouped(rights, lambda right: (wanted.rights[right].section, wanted.rights[right].versions))
    manifest = {
        "apiVersion": f"{_RBAC}/v1",
        "kind": "Role" if namespace else "ClusterRole",
        "metadata": _metadata(installer, installer.role, namespace),
        "rules": [rule.to_rule() for rule in rules],
    }
    return Document(manifest, tuple(_reasons(rule, wanted) for rule in rules))


def _reasons(rule: GroupedRule, wanted: Wanted) -> tuple[Reason, ...]:
    return tuple(dict.fromkeys(wanted.rights[right] for right in rule.rights))


def _binding(installer: Installer, namespace: str) -> Document:
    prefix = "" if namespace else "Cluster"
    account = installer.account
    return Document(
        {
            "apiVersion": f"{_RBAC}/v1",
            "kind": f"{prefix}RoleBinding",
            "metadata": _metadata(installer, installer.role, namespace),
            "roleRef": {"apiGroup": _RBAC, "kind": f"{prefix}Role", "name": installer.role},
            "subjects": [{"kind": "ServiceAccount", "name": account.name, "namespace": account.namespace}],
        }
    )


def _metadata(installer: Installer, name: str, namespace: str = "") -> dict[str, Any]:
    place = {"namespace": namespace} if namespace else {}
    return {"name": name, **place, "labels": {LABEL_INSTALLER_FOR: installer.extension}}
