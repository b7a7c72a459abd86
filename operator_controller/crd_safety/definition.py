"""A CustomResourceDefinition as the comparison sees it, made of any JSON without ever failing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from operator_controller.crd_safety.bounded import TooLargeError, bounded
from operator_controller.crd_safety.schemas import Node, Schema, flattened, text_of

__all__ = ["DefinedVersion", "Definition", "definition_of", "is_definition", "version_rank"]

_VERSION = re.compile(r"v([1-9][0-9]{0,8})(?:(alpha|beta)([1-9][0-9]{0,8}))?")
_STAGES = {"alpha": 0, "beta": 1, None: 2}


@dataclass(frozen=True, slots=True)
class DefinedVersion:
    """One version; `nodes` is its schema as a table."""

    name: str
    is_served: bool
    is_storage: bool
    schema: Schema
    nodes: Mapping[str, Node] = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Definition:
    """`versions` are in the order of the definition; `problems` say why some of it could not be read.

    `stored_versions` are those that the cluster knows objects may be stored in, else the version that is stored now.
    """

    name: str
    group: str
    kind: str
    plural: str
    scope: str
    versions: tuple[DefinedVersion, ...]
    stored_versions: tuple[str, ...]
    has_webhook: bool = False
    prunes: bool = True
    problems: tuple[str, ...] = ()

    def version(self, name: str) -> DefinedVersion | None:
        """The version of that name."""
        return next((each for each in self.versions if each.name == name), None)

    @property
    def storage(self) -> DefinedVersion | None:
        """The version that objects are stored in."""
        return next((each for each in self.versions if each.is_storage), None)

    @property
    def readable(self) -> DefinedVersion | None:
        """The version to read stored objects in: the stored one, which has every field, else any that is served."""
        served = [each for each in self.versions if each.is_served]
        return next((each for each in served if each.is_storage), served[0] if served else None)


def is_definition(manifest: object) -> bool:
    """Whether it is a CustomResourceDefinition of apiextensions.k8s.io/v1."""
    if not isinstance(manifest, Mapping):
        return False
    return (manifest.get("kind"), manifest.get("apiVersion")) == ("CustomResourceDefinition", "apiextensions.k8s.io/v1")


def definition_of(manifest: object) -> Definition:
    """The view of a definition; what is missing or of another type is empty."""
    document = _mapping(manifest)
    spec, status = _mapping(document.get("spec")), _mapping(document.get("status"))
    names = _mapping(spec.get("names"))
    problems: list[str] = []
    versions = {each.name: each for item in _list(spec.get("versions")) if (each := _version(item, problems))}
    stored = [text for item in _list(status.get("storedVersions")) if (text := text_of(item))]
    return Definition(
        name=text_of(_mapping(document.get("metadata")).get("name")),
        group=text_of(spec.get("group")),
        kind=text_of(names.get("kind")),
        plural=text_of(names.get("plural")),
        scope=text_of(spec.get("scope")),
        versions=tuple(versions.values()),
        stored_versions=tuple(stored or [each.name for each in versions.values() if each.is_storage]),
        has_webhook=_mapping(spec.get("conversion")).get("strategy") == "Webhook",
        prunes=spec.get("preserveUnknownFields") is not True,
        problems=tuple(problems),
    )


def version_rank(name: str) -> tuple[int, int, int, str]:
    """Ascending: names that are no versions, then alpha, beta and stable ones by their numbers (Kubernetes order)."""
    found = _VERSION.fullmatch(name)
    if found is None:
        return -1, 0, 0, name
    return _STAGES[found[2]], int(found[1]), int(found[3] or 0), name


def _version(item: object, problems: list[str]) -> DefinedVersion | None:
    version = _mapping(item)
    name = text_of(version.get("name"))
    if not name:
        return None
    try:
        schema = _mapping(bounded(_mapping(version.get("schema")).get("openAPIV3Schema")))
        nodes = flattened(schema)
    except TooLargeError as error:
        problems.append(f"the schema of version {name} {error}")
        schema, nodes = {}, {}
    return DefinedVersion(name, version.get("served") is True, version.get("storage") is True, schema, nodes)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
