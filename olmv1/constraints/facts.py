"""What can satisfy requirements: bundles with their properties, and what the cluster serves.

Made by the caller for one state of the cluster; nothing in it changes. Rule: dependencies.md 7.1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from olmv1.constraints.property import Property
from olmv1.constraints.reading import is_deeper_than
from olmv1.served import Served
from olmv1.versions import Version, quoted

__all__ = ["Api", "Facts", "Index", "Provider", "apis_of", "readable", "visible"]

Api = tuple[str, str, str]
"""Group, version and kind."""

_MAX_LEVELS: Final = 64
"""Values that are nested deeper are not shown to rules: no author writes them, and the library copies recursively."""


@dataclass(frozen=True, slots=True)
class Provider:
    """A bundle that counts: that of an installed extension, or the candidate itself (`extension` is empty).

    `bundle` is empty when nothing is installed yet: such an extension satisfies nothing, but messages name it.
    `properties` is `None` when they are not known: only `package` and `version` then count.
    """

    extension: str
    bundle: str
    package: str = ""
    version: str = ""
    properties: tuple[Property, ...] | None = ()

    @property
    def label(self) -> str:
        """How messages call it."""
        return (
            f"ClusterExtension {quoted(self.extension)}" if self.extension else f"bundle {quoted(self.bundle)} itself"
        )


class Index:
    """Bundles by what they provide. Building one reads every property: callers keep it as long as the bundles stay."""

    def __init__(self, providers: Iterable[Provider]) -> None:
        everyone = tuple(providers)
        self.providers = tuple(each for each in everyone if each.bundle)
        self.pending = tuple(each for each in everyone if not each.bundle)
        self.unknown = tuple(each for each in self.providers if each.properties is None)
        self.apis: dict[Api, list[Provider]] = defaultdict(list)
        self.packages: dict[str, list[tuple[Provider, str]]] = defaultdict(list)
        self.labels: dict[str, list[Provider]] = defaultdict(list)
        for provider in self.providers:
            self._add(provider)

    def _add(self, provider: Provider) -> None:
        packages = {(provider.package, provider.version)} if provider.package else set()
        labels = set()
        for property_ in provider.properties or ():
            value = property_.value
            if property_.type == "olm.package" and isinstance(value, Mapping) and not provider.package:
                packages.add((str(value.get("packageName", "")), str(value.get("version", ""))))
            elif property_.type == "olm.label" and isinstance(value, Mapping):
                labels.add(str(value.get("label", "")))
        for api in apis_of(provider.properties or ()):
            self.apis[api].append(provider)
        for package, version in sorted(packages):
            self.packages[package].append((provider, version))
        for label in labels:
            self.labels[label].append(provider)


class Facts:
    """One state of the cluster: `base` without the bundles of the extensions in `without`, and `added` to it.

    `removed`: APIs that are served now and will not be once a rollout is done.
    """

    def __init__(
        self,
        base: Index,
        served: Served | None = None,
        removed: frozenset[Api] = frozenset(),
        *,
        without: frozenset[str] = frozenset(),
        added: Iterable[Provider] = (),
    ) -> None:
        self._base, self._added, self._without = base, Index(added), without
        self.served = served or Served()
        self.removed = removed

    @property
    def providers(self) -> tuple[Provider, ...]:
        """Every bundle that counts."""
        return (*self._kept(self._base.providers), *self._added.providers)

    @property
    def pending(self) -> tuple[Provider, ...]:
        """The extensions of which nothing is installed yet."""
        return (*self._kept(self._base.pending), *self._added.pending)

    @property
    def unknown(self) -> tuple[Provider, ...]:
        """The bundles of which it is not known what they provide."""
        return (*self._kept(self._base.unknown), *self._added.unknown)

    def serves(self, api: Api) -> bool:
        """Whether the cluster serves the API and goes on serving it."""
        return api in self.served.kinds and api not in self.removed

    def providers_of_api(self, api: Api) -> tuple[Provider, ...]:
        """The bundles that say that they provide the API."""
        return (*self._kept(self._base.apis.get(api, ())), *self._added.apis.get(api, ()))

    def versions_of(self, package: str) -> tuple[tuple[Provider, str], ...]:
        """The bundles of the package, each with its version as written."""
        kept = (each for each in self._base.packages.get(package, ()) if each[0].extension not in self._without)
        return (*kept, *self._added.packages.get(package, ()))

    def providers_of_label(self, label: str) -> tuple[Provider, ...]:
        """The bundles with that label."""
        return (*self._kept(self._base.labels.get(label, ())), *self._added.labels.get(label, ()))

    def _kept(self, providers: Iterable[Provider]) -> Iterator[Provider]:
        return (each for each in providers if each.extension not in self._without)


def apis_of(properties: Iterable[Property]) -> frozenset[Api]:
    """The APIs that the properties `olm.gvk` name."""
    found = (each.value for each in properties if each.type == "olm.gvk" and isinstance(each.value, Mapping))
    return frozenset(tuple(str(value.get(part) or "") for part in ("group", "version", "kind")) for value in found)  # type: ignore[misc]


def visible(properties: Iterable[Property]) -> tuple[Property, ...]:
    """What rules see: everything whose value is not nested absurdly deep."""
    return tuple(each for each in properties if not is_deeper_than(each.value, _MAX_LEVELS))


def readable(version: str) -> Version | None:
    """The version, or `None` when the text is none."""
    try:
        return Version.parse(version)
    except ValueError:
        return None
