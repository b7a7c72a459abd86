"""CustomResourceDefinitions of lamps, and lamps."""

from __future__ import annotations

from typing import Any

__all__ = ["LAMPS", "a_definition", "a_lamp", "a_schema", "a_version", "with_field"]

LAMPS = "lamps.example.com"


def a_schema(**fields: Any) -> dict[str, Any]:
    """The schema of a lamp whose spec has these fields."""
    return {"type": "object", "properties": {"spec": {"type": "object", "properties": fields}}}


def a_version(name: str = "v1", schema: Any = None, *, served: bool = True, storage: bool = True) -> dict[str, Any]:
    """One version of a definition."""
    found = a_schema() if schema is None else schema
    return {"name": name, "served": served, "storage": storage, "schema": {"openAPIV3Schema": found}}


def a_definition(*versions: Any, stored: Any = (), **spec: Any) -> dict[str, Any]:
    """The definition `lamps.example.com`."""
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": LAMPS},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Lamp", "plural": "lamps", "singular": "lamp", "listKind": "LampList"},
            "scope": "Namespaced",
            "versions": list(versions or (a_version(),)),
            **spec,
        },
        **({"status": {"storedVersions": list(stored)}} if stored else {}),
    }


def with_field(schema: Any) -> dict[str, Any]:
    """A definition whose only field is `^.spec.size`, with that schema; `None` for no field."""
    return a_definition(a_version(schema=a_schema(**({} if schema is None else {"size": schema}))))


def a_lamp(name: str, *, version: str = "v1", **spec: Any) -> dict[str, Any]:
    """The lamp `shop/<name>`."""
    return {
        "apiVersion": f"example.com/{version}",
        "kind": "Lamp",
        "metadata": {"name": name, "namespace": "shop"},
        "spec": spec,
    }
