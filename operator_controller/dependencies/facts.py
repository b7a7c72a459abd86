"""What the check is asked and what it may look at, as values; the shell fills them from its watches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from olmv1.constraints import LIBRARY, Api, Index, Property, Provider, Requirement, Rules, requirements_of
from olmv1.served import Served
from operator_controller.resolver import PackageIndex, Request

__all__ = ["Candidate", "ClusterFacts", "InstalledExtension", "Inventory", "Shelf", "Shelves"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """The bundle that an extension is to get, or has.

    `properties`: those of the catalog's blob, once the image is there also those inside it. `catalog`: where it comes
    from. `is_installed`: it is what is installed, so nothing can be held any more. `created`: creation time of the
    extension, RFC 3339. `objects`: its cluster-scoped objects as kind and name, once it is rendered.
    """

    extension: str
    package: str
    bundle: str
    version: str
    properties: tuple[Property, ...] = ()
    catalog: str | None = None
    is_installed: bool = False
    created: str = ""
    objects: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class InstalledExtension:
    """One ClusterExtension and what is installed of it; `bundle` and `version` are empty when nothing is.

    `properties` are those that its revision recorded; `None` when they are not known. `request` is what its spec asks
    the resolver for, with the installed bundle: only the search for alternatives needs it.
    """

    name: str
    package: str
    bundle: str = ""
    version: str = ""
    properties: tuple[Property, ...] | None = ()
    created: str = ""
    objects: frozenset[tuple[str, str]] = frozenset()
    request: Request | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """What is known of one usable catalog: some of its packages, or all of them."""

    catalog: str
    priority: int
    packages: Mapping[str, PackageIndex]


@dataclass(frozen=True, slots=True, eq=False)
class Shelves:
    """The catalogs that advice may come from.

    `is_whole`: every usable catalog is there with every package. Otherwise `searched` are the packages that every
    usable catalog was asked for: only of these it can be said that nobody offers them.
    """

    shelves: Sequence[Shelf] = ()
    is_whole: bool = False
    searched: frozenset[str] = frozenset()

    def knows_all_of(self, package: str) -> bool:
        """Whether no catalog can have another bundle of the package."""
        return self.is_whole or package in self.searched


class Inventory(tuple[InstalledExtension, ...]):
    """All extensions. What is read out of their properties is kept with it: keep it as long as nothing changes."""

    @cached_property
    def provided(self) -> Index:
        """The installed bundles by what they provide."""
        return Index(
            Provider(each.name, each.bundle, each.package, each.version, each.properties)
            for each in sorted(self, key=lambda each: each.name)
        )

    @cached_property
    def by_name(self) -> Mapping[str, InstalledExtension]:
        """The extensions by name."""
        return {each.name: each for each in self}

    @cached_property
    def by_package(self) -> Mapping[str, tuple[InstalledExtension, ...]]:
        """The extensions that ask for a package, by its name."""
        found: dict[str, list[InstalledExtension]] = defaultdict(list)
        for each in self:
            found[each.package].append(each)
        return {name: tuple(members) for name, members in found.items()}

    @cached_property
    def requiring(self) -> tuple[tuple[InstalledExtension, tuple[Requirement, ...]], ...]:
        """The installed extensions that require something, by name, each with what."""
        installed = sorted((each for each in self if each.bundle), key=lambda each: each.name)
        found = ((each, requirements_of(each.properties or ())) for each in installed)
        return tuple((each, requirements) for each, requirements in found if requirements)


@dataclass(frozen=True, slots=True, eq=False)
class ClusterFacts:
    """The cluster as one check sees it.

    `extensions`: all of them, that of the candidate included; give an `Inventory` that is kept between checks.
    `removed`: the APIs that the candidate's rollout takes away, `None` as long as it is not rendered (what the bundles
    say they provide is compared then). `held`: candidates of other extensions that are held for requirements only.
    `crd_owners`: the CRDs of the candidate that exist, by name, with the extension that manages each (`None`: nobody of
    us). `rules` decides rules in CEL.
    """

    extensions: Inventory = field(default_factory=Inventory)
    served: Served = field(default_factory=Served)
    removed: frozenset[Api] | None = None
    held: Sequence[Candidate] = ()
    crd_owners: Mapping[str, str | None] = field(default_factory=dict)
    shelves: Shelves = field(default_factory=Shelves)
    rules: Rules = LIBRARY

    def own(self, candidate: Candidate) -> InstalledExtension | None:
        """The extension of the candidate as it is now."""
        return self.extensions.by_name.get(candidate.extension)
