"""Where an image is really fetched from: `registries.conf` version 2, parsed and applied.

Pure: texts in, endpoints out; `configuration` reads the files. Everything that the format allows and that bears on
pulling a full reference is honoured: prefix (with `*.` wildcard), location, insecure, blocked, mirrors,
`mirror-by-digest-only`, `pull-from-mirror`. Short-name settings are ignored: references are always full.
Rule: containers-registries.conf(5).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from olmv1.errors import RetryableError
from olmv1.images.references import Reference

__all__ = ["Endpoint", "Mirror", "PullFrom", "RegistriesConf", "Registry", "parse_registries"]


# Host, port, path; a prefix may end in a tag or digest. Empty where the key is absent.
_LOCATION = re.compile(r"(?:(?:[\w.*-]+|\[[0-9a-fA-F:]+\])(?::\d{1,5})?(?:/[\w.:@/-]*)?)?", re.ASCII)


class PullFrom(StrEnum):
    """Which references a mirror serves: values of `pull-from-mirror`."""

    ALL = "all"
    DIGEST_ONLY = "digest-only"
    TAG_ONLY = "tag-only"

    def serves(self, reference: Reference) -> bool:
        """Whether a mirror with this setting is asked for `reference`."""
        return self is PullFrom.ALL or (self is PullFrom.DIGEST_ONLY) == (reference.digest is not None)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One place that may have the image: a registry and the repository's path in it."""

    domain: str
    repository: str
    is_insecure: bool = False
    is_mirror: bool = False

    def __str__(self) -> str:
        return f"{self.domain}/{self.repository}"


@dataclass(frozen=True, slots=True)
class Mirror:
    """One `[[registry.mirror]]` table; `location` replaces the prefix of the registry."""

    location: str
    is_insecure: bool = False
    pull_from: PullFrom = PullFrom.ALL


@dataclass(frozen=True, slots=True)
class Registry:
    """One `[[registry]]` table; `origin` is the file that it comes from."""

    prefix: str
    location: str
    origin: str
    is_insecure: bool = False
    is_blocked: bool = False
    mirrors: tuple[Mirror, ...] = ()

    def covers(self, reference: Reference) -> bool:
        """Whether the prefix matches on whole parts: host, path components, tag or digest."""
        if self.prefix.startswith("*."):
            return reference.domain.partition(":")[0].endswith(self.prefix[1:])
        name = reference.name
        return self.prefix in {name, str(reference)} or name.startswith(f"{self.prefix}/")

    def endpoints(self, reference: Reference) -> tuple[Endpoint, ...]:
        """The mirrors that serve `reference` in their order, then the registry itself."""
        mirrors = [
            Endpoint(*self._moved(reference, mirror.location), mirror.is_insecure, is_mirror=True)
            for mirror in self.mirrors
            if mirror.pull_from.serves(reference)
        ]
        return (*mirrors, Endpoint(*self._moved(reference, self.location), self.is_insecure))

    def _moved(self, reference: Reference, location: str) -> tuple[str, str]:
        """Domain and repository with the prefix (a wildcard stands for the host) replaced by `location`."""
        if not location:
            return reference.domain, reference.repository
        if self.prefix.startswith("*."):
            name = f"{location}/{reference.repository}"
        else:
            # A prefix may end in a tag or digest; then nothing of the name is left to append.
            name = location + reference.name[len(self.prefix) :]
        domain, _, repository = name.partition("/")
        return domain, repository


@dataclass(frozen=True, slots=True)
class RegistriesConf:
    """All registry tables in force, one per prefix."""

    registries: tuple[Registry, ...] = ()

    def merged(self, *later: RegistriesConf) -> RegistriesConf:
        """These tables with those of `later` over them: a table replaces the earlier one of the same prefix."""
        by_prefix = {registry.prefix: registry for conf in (self, *later) for registry in conf.registries}
        return RegistriesConf(tuple(by_prefix.values()))

    def endpoints_for(self, reference: Reference) -> tuple[Endpoint, ...]:
        """Where to look for `reference`, in order; without a matching table only its own registry.

        Raises:
            RetryableError: the registry is blocked. The file may change without an event, so the work is retried.
        """
        fitting = [registry for registry in self.registries if registry.covers(reference)]
        if not fitting:
            return (Endpoint(reference.domain, reference.repository),)
        registry = max(fitting, key=lambda candidate: len(candidate.prefix))
        if registry.is_blocked:
            raise RetryableError(f"registry {registry.prefix} is blocked in {registry.origin}")
        return registry.endpoints(reference)


def parse_registries(text: str, origin: str) -> RegistriesConf:
    """The registry tables of one file; `origin` names the file in errors.

    Raises:
        ValueError: not TOML, the retired version 1, or a table that contradicts itself.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{origin}: {error}") from error
    if "registries" in document:
        raise ValueError(
            f"{origin}: version 1 of the format ([registries.…]) is not supported, use [[registry]] tables"
        )
    return RegistriesConf(tuple(_registry(table, origin) for table in _tables(document, "registry", origin)))


def _registry(table: Mapping[str, Any], origin: str) -> Registry:
    location = _location(table.get("location", ""), origin)
    prefix = _location(table.get("prefix", "") or location, origin)
    if not prefix:
        raise ValueError(f"{origin}: a [[registry]] table has neither prefix nor location")
    if not location and not prefix.startswith("*."):
        location = prefix
    if "*" in prefix[1:] or (prefix.startswith("*") and ("/" in prefix or not prefix.startswith("*."))):
        raise ValueError(f'{origin}: prefix "{prefix}" is not a registry, a repository or "*." and a domain')
    digest_only = _flag(table, "mirror-by-digest-only", origin)
    mirrors = tuple(_mirror(item, origin, digest_only=digest_only) for item in _tables(table, "mirror", origin))
    return Registry(
        prefix, location, origin, _flag(table, "insecure", origin), _flag(table, "blocked", origin), mirrors
    )


def _mirror(table: Mapping[str, Any], origin: str, *, digest_only: bool) -> Mirror:
    location = _location(table.get("location", ""), origin)
    if not location:
        raise ValueError(f"{origin}: a [[registry.mirror]] table has no location")
    chosen = table.get("pull-from-mirror", "")
    if chosen and digest_only:
        raise ValueError(f'{origin}: mirror "{location}" sets pull-from-mirror beside mirror-by-digest-only')
    if chosen not in ("", *PullFrom):
        raise ValueError(f'{origin}: mirror "{location}" has pull-from-mirror "{chosen}"; known: {", ".join(PullFrom)}')
    pull_from = PullFrom(chosen) if chosen else (PullFrom.DIGEST_ONLY if digest_only else PullFrom.ALL)
    return Mirror(location, _flag(table, "insecure", origin), pull_from)


def _tables(document: Mapping[str, Any], key: str, origin: str) -> Iterable[Mapping[str, Any]]:
    tables = document.get(key, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError(f'{origin}: "{key}" must be written as [[…]] tables')
    return tables


def _location(value: object, origin: str) -> str:
    if not isinstance(value, str) or not _LOCATION.fullmatch(value):
        raise ValueError(f"{origin}: {value!r} is not a registry location (host[:port][/path])")
    return value.rstrip("/")


def _flag(table: Mapping[str, Any], key: str, origin: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise ValueError(f"{origin}: {key} must be true or false, found {value!r}")
    return value
