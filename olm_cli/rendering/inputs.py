"""What the user says about a bundle beside naming it: the namespace, and the configuration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from olm_cli.output import say
from olm_cli.problems import BadInput

__all__ = ["configuration_of", "namespace_of"]

_SUGGESTED = "operatorframework.io/suggested-namespace"
_LABEL = re.compile(r"[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?")


def namespace_of(given: str | None, annotations: Mapping[str, str]) -> str:
    """The namespace that is asked for, else the one that a bundle suggests in its annotations, which is said.

    Rule: bundle-rendering.md 14. Raises: BadInput.
    """
    if given is None:
        suggested = annotations.get(_SUGGESTED, "")
        if not _LABEL.fullmatch(suggested):
            raise BadInput("which namespace? the bundle suggests none: name it with --namespace NS")
        say(f"namespace {suggested}, as the bundle suggests; choose another with --namespace")
        return suggested
    if not _LABEL.fullmatch(given):
        raise BadInput(f"--namespace {given}: expected the name of a namespace, such as my-operator")
    return given


def configuration_of(file: Path | None, watch_namespace: str | None) -> object:
    """What `spec.config.inline` would be as decoded JSON; `None` for nothing. Raises: BadInput."""
    config = None if file is None else _read(file)
    if watch_namespace is None:
        return config
    if config is not None and not isinstance(config, Mapping):
        raise BadInput(f"--config {file}: expected an object, to which --watch-namespace is added")
    inline: dict[str, Any] = dict(config or {})
    if inline.get("watchNamespace", watch_namespace) != watch_namespace:
        raise BadInput(f"--config {file} and --watch-namespace name two namespaces: drop one of them")
    return {**inline, "watchNamespace": watch_namespace}


def _read(path: Path) -> object:
    from olmv1.yaml import YamlError, load_all  # noqa: PLC0415 - two parsers come with it

    try:
        found = list(load_all(path.expanduser().read_bytes(), name=str(path)))
    except OSError as error:
        raise BadInput(f"--config {path}: {error.strerror or error}") from error
    except YamlError as error:
        raise BadInput(f"--config {path}: {error.detail}") from error
    if len(found) > 1:
        raise BadInput(f"--config {path}: expected one document, found {len(found)}")
    return found[0] if found else None
