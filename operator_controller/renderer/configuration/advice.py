"""What to write instead of a field that does not exist. Rule: decision 16."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ADVICE", "SEVERAL_NAMESPACES"]

SEVERAL_NAMESPACES = (
    "several namespaces cannot be watched; give one in watchNamespace, or leave it out where the bundle supports "
    "AllNamespaces"
)
_SELECTED_NAMESPACES = (
    "namespaces cannot be selected by their labels; give one in watchNamespace, or leave it out where the bundle "
    "supports AllNamespaces"
)

ADVICE: Mapping[str, str] = MappingProxyType(
    {
        "watchNamespaces": SEVERAL_NAMESPACES,
        "targetNamespaces": SEVERAL_NAMESPACES,
        "watchNamespaceSelector": _SELECTED_NAMESPACES,
        "namespaceSelector": _SELECTED_NAMESPACES,
        "selector": _SELECTED_NAMESPACES,
    }
)
