"""The configuration of an extension: checked against a schema made for the bundle, then typed.

`read_configuration` is the way in. Rule: bundle-rendering.md 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jsonschema_rs import Draft7Validator

from operator_controller.bundle import Bundle
from operator_controller.bundle.conversion import ConversionError, convert
from operator_controller.bundle.json_values import exact
from operator_controller.renderer.configuration.errors import ConfigurationError
from operator_controller.renderer.configuration.findings import Wording, lines_of
from operator_controller.renderer.configuration.schema import (
    DEPLOYMENT_CONFIG,
    OWN_FORMAT,
    SINGLE_FORMAT,
    WATCH_NAMESPACE,
    is_own_only,
    narrowed_to,
    schema_of,
)
from operator_controller.renderer.options import RenderOptions

__all__ = ["Configuration", "ConfigurationError", "read_configuration"]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What was configured; `None` where nothing was. Members of `deployment_config` are in their typed form."""

    watch_namespace: str | None = None
    deployment_config: Mapping[str, Any] | None = None


def read_configuration(bundle: Bundle, options: RenderOptions) -> Configuration:
    """The checked configuration; own-only bundles watch the install namespace when nothing else is said.

    Raises: ConfigurationError with every finding. Rule: bundle-rendering.md 7, 15 rows 18 and 19.
    """
    if options.config is None and not options.gates.single_own_namespace:
        return Configuration()
    config = _checked(bundle, options)
    watch_namespace = config.get(WATCH_NAMESPACE)
    if watch_namespace is None and is_own_only(bundle):
        watch_namespace = options.install_namespace
    return Configuration(watch_namespace, _typed_deployment_config(config.get(DEPLOYMENT_CONFIG), options))


def _checked(bundle: Bundle, options: RenderOptions) -> Mapping[str, Any]:
    prefix = "invalid ClusterExtension configuration: invalid configuration: "
    try:
        config = exact({} if options.config is None else options.config)
    except ValueError as error:
        raise ConfigurationError(f"{prefix}{error}") from error
    if not options.as_reference:
        config = _without_nulls(config)
    namespace = options.install_namespace
    formats = {
        OWN_FORMAT: lambda value: not namespace or value == namespace,
        SINGLE_FORMAT: lambda value: not namespace or value != namespace,
    }
    schema = narrowed_to(config, schema_of(bundle, options))
    validator = Draft7Validator(schema, formats=formats, validate_formats=True)
    lines = lines_of(validator.iter_errors(config), Wording(namespace, as_reference=options.as_reference))
    if len(lines) == 1:
        raise ConfigurationError(f"{prefix}{lines[0]}")
    if lines:
        raise ConfigurationError("\n  - ".join([f"{prefix}multiple errors found:", *lines]))
    checked: Mapping[str, Any] = config
    return checked


def _without_nulls(value: Any) -> Any:
    """`value` without null members: null means "not given"."""
    if isinstance(value, dict):
        return {key: _without_nulls(item) for key, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def _typed_deployment_config(given: Mapping[str, Any] | None, options: RenderOptions) -> Mapping[str, Any] | None:
    """The members that were given; an empty list or map stays, because it may say "remove"."""
    if given is None:
        return None
    try:
        typed = convert("SubscriptionConfig", dict(given))
    except ConversionError as error:
        path = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in error.path)
        place = "" if options.as_reference else f" (at {DEPLOYMENT_CONFIG}{path})"
        raise ConfigurationError(
            f"invalid deploymentConfig: failed to unmarshal deploymentConfig: {error}{place}"
        ) from error
    return {name: typed.get(name, value) for name, value in given.items()}
