"""The JSON schema (draft 7) of a bundle's configuration.

Made for one bundle and install namespace: which members there are depends on the install modes. Rule:
bundle-rendering.md 7.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from operator_controller.bundle import Bundle
from operator_controller.bundle.conversion import type_tables
from operator_controller.renderer.configuration.required import REQUIRED_MEMBERS
from operator_controller.renderer.deployment_config import MEMBERS
from operator_controller.renderer.install_modes import InstallMode, supported_of_ours
from operator_controller.renderer.options import RenderOptions

__all__ = [
    "DEPLOYMENT_CONFIG",
    "OWN_FORMAT",
    "SINGLE_FORMAT",
    "WATCH_NAMESPACE",
    "is_own_only",
    "narrowed_to",
    "schema_of",
]

WATCH_NAMESPACE = "watchNamespace"
DEPLOYMENT_CONFIG = "deploymentConfig"
OWN_FORMAT = "ownNamespaceInstallMode"
SINGLE_FORMAT = "singleNamespaceInstallMode"

_Schema = dict[str, Any]

_NAMESPACE: _Schema = {"type": "string", "minLength": 1, "maxLength": 63, "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}
_CONFIG_TYPE = "SubscriptionConfig"
_SCALARS: Mapping[str, _Schema] = {
    "string": {"type": "string"},
    "bool": {"type": "boolean"},
    "int32": {"type": "integer"},
    "int64": {"type": "integer"},
    "quantity": {"type": ["string", "number"]},
    "time": {"type": "string"},
    "json": {"type": "object"},
}


def is_own_only(bundle: Bundle) -> bool:
    """Whether the install namespace is the only one that the bundle can watch."""
    return supported_of_ours(bundle) == {InstallMode.OWN}


def schema_of(bundle: Bundle, options: RenderOptions) -> _Schema:
    """The schema as JSON; members that the bundle does not know are refused."""
    properties: _Schema = {}
    required = []
    if watch_namespace := _watch_namespace_of(bundle):
        properties[WATCH_NAMESPACE] = watch_namespace
        if _is_required(bundle, options):
            required.append(WATCH_NAMESPACE)
    if options.gates.deployment_config:
        properties[DEPLOYMENT_CONFIG] = _deployment_config()
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "definitions": _definitions() if options.gates.deployment_config else {},
    }


def narrowed_to(config: object, schema: _Schema) -> _Schema:
    """`schema` without the Kubernetes types where `config` has nothing of them to check; compiling them takes long."""
    if isinstance(config, Mapping) and DEPLOYMENT_CONFIG in config:
        return schema
    properties = {name: member for name, member in schema["properties"].items() if name != DEPLOYMENT_CONFIG}
    return {**schema, "properties": properties, "definitions": {}}


def _watch_namespace_of(bundle: Bundle) -> _Schema | None:
    modes = supported_of_ours(bundle)
    narrow = modes - {InstallMode.ALL}
    if not narrow:
        return None
    schema = dict(_NAMESPACE)
    if narrow == {InstallMode.OWN}:
        schema["format"] = OWN_FORMAT
    elif narrow == {InstallMode.SINGLE}:
        schema["format"] = SINGLE_FORMAT
    return {"anyOf": [{"type": "null"}, schema]} if InstallMode.ALL in modes else schema


def _is_required(bundle: Bundle, options: RenderOptions) -> bool:
    if InstallMode.ALL in bundle.install_modes:
        return False
    return options.as_reference or not is_own_only(bundle)


def _deployment_config() -> _Schema:
    table = type_tables()[_CONFIG_TYPE]
    properties = {name: _schema_of_expression(table[name]) for name in MEMBERS}
    return {"type": "object", "properties": properties, "additionalProperties": False}


@cache
def _definitions() -> _Schema:
    """The schemas of all types that the members of `deploymentConfig` reach."""
    found: _Schema = {}
    table = type_tables()[_CONFIG_TYPE]
    waiting = _types_in(table[name] for name in MEMBERS)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        members = type_tables()[name]
        found[name] = {
            "type": "object",
            "properties": {member: _schema_of_expression(text) for member, text in members.items()},
            "required": list(REQUIRED_MEMBERS.get(name, ())),
        }
        waiting += _types_in(members.values())
    return found


def _types_in(expressions: Iterable[str]) -> list[str]:
    names = (expression.strip("*?").rpartition(" ")[2] for expression in expressions)
    return [name for name in names if name not in _SCALARS]


def _schema_of_expression(expression: str) -> _Schema:
    prefix, _, name = expression.strip("*?").rpartition(" ")
    if prefix:
        item = _schema_of_expression(name)
        return (
            {"type": "array", "items": item} if prefix == "list" else {"type": "object", "additionalProperties": item}
        )
    return dict(_SCALARS[name]) if name in _SCALARS else {"$ref": f"#/definitions/{name}"}
