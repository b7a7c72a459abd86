"""What only shows between blobs: names that are missing or doubled. Rule: fbc.md 9, phase 2.

Of blobs with one name the first counts. Nothing is said to be missing in a package that could not be read whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, product

from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_PACKAGE, Deprecation
from olmv1.fbc.validation.branches import in_bundle
from olmv1.fbc.validation.facts import BundleFacts, CatalogFacts, ChannelFacts, DeprecationsFacts, PackageFacts, Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes

__all__ = ["PackageModel", "converted"]


@dataclass(slots=True)
class PackageModel:
    """One package with its parts by name, each name once; `blob` is `None` for a package that no blob declares.

    `deprecated`: (schema, name) → the entry and the blob that it is in; `has_deprecations`: there is such a blob.
    `is_whole`: all that is known of it was read.
    """

    name: str
    blob: PackageFacts | None = None
    channels: dict[str, ChannelFacts] = field(default_factory=dict)
    bundles: dict[str, BundleFacts] = field(default_factory=dict)
    deprecated: dict[tuple[str, str], tuple[Deprecation, Spot]] = field(default_factory=dict)
    has_deprecations: bool = False
    is_whole: bool = True

    @property
    def spots(self) -> list[Spot]:
        """Where its blobs are."""
        found: list[PackageFacts | ChannelFacts | BundleFacts] = [*self.channels.values(), *self.bundles.values()]
        return [each.spot for each in ([self.blob, *found] if self.blob else found)]

    def channels_by_bundle(self) -> Mapping[str, Sequence[str]]:
        """The channels with an entry for each bundle, sorted."""
        found: dict[str, list[str]] = {}
        for channel in sorted(self.channels):
            for name in {entry.name for entry in self.channels[channel].entries}:
                found.setdefault(name, []).append(channel)
        return found


def converted(facts: CatalogFacts, notes: Notes) -> Mapping[str, PackageModel]:
    """The packages of a catalog by name; what keeps the reference from making them is noted."""
    packages: dict[str, PackageModel] = {}
    _take_packages(facts.packages, packages, notes)
    _take_channels(facts.channels, packages, notes)
    _take_bundles(facts.bundles, packages, notes)
    for package in packages.values():
        package.is_whole = facts.is_whole(package.name, package.spots)
        if package.is_whole:
            _check_presence(package, notes)
    for number, blob in enumerate(facts.deprecations):
        _take_deprecations(blob, number, packages, notes)
    return packages


def _take_packages(blobs: Iterable[PackageFacts], packages: dict[str, PackageModel], notes: Notes) -> None:
    for blob in blobs:
        if not blob.name:
            continue
        if blob.name in packages:
            notes.add(blob.spot, Code.DUPLICATE_PACKAGE, f'duplicate package "{blob.name}"')
        else:
            packages[blob.name] = PackageModel(blob.name, blob)


def _take_channels(blobs: Iterable[ChannelFacts], packages: dict[str, PackageModel], notes: Notes) -> None:
    for blob in blobs:
        package = packages.setdefault(blob.package, PackageModel(blob.package))
        if not blob.name:
            continue
        if blob.name in package.channels:
            message = f'package "{blob.package}" has duplicate channel "{blob.name}"'
            notes.add(blob.spot, Code.DUPLICATE_CHANNEL, message)
        else:
            package.channels[blob.name] = blob


def _take_bundles(blobs: Iterable[BundleFacts], packages: dict[str, PackageModel], notes: Notes) -> None:
    for blob in blobs:
        if not blob.package:
            continue
        package = packages.setdefault(blob.package, PackageModel(blob.package))
        if blob.name in package.bundles:
            message = f'package "{blob.package}" has duplicate bundle "{blob.name}"'
            notes.add(blob.spot, Code.DUPLICATE_BUNDLE, message)
        else:
            package.bundles[blob.name] = blob


def _check_presence(package: PackageModel, notes: Notes) -> None:
    """Note what is named and not there, and bundles that nothing leads to."""
    for channel in package.channels.values():
        if package.blob is None:
            message = f'unknown package "{package.name}" for channel "{channel.name}"'
            notes.add(channel.spot, Code.UNKNOWN_PACKAGE, message)
    entries = {entry.name for channel in package.channels.values() for entry in channel.entries}
    for bundle in package.bundles.values():
        if package.blob is None:
            message = f'unknown package "{package.name}" for bundle "{bundle.name}"'
            notes.add(bundle.spot, Code.UNKNOWN_PACKAGE, message)
        if not bundle.name or bundle.name not in entries:
            message = f'package "{package.name}", bundle "{bundle.name}" not found in any channel entries'
            notes.add(bundle.spot, Code.BUNDLE_IN_NO_CHANNEL, message)
    last = next(reversed(package.channels), "")
    for channel in package.channels.values():
        _check_entries(channel, package, notes, is_last=channel.name == last)


def _check_entries(channel: ChannelFacts, package: PackageModel, notes: Notes, *, is_last: bool) -> None:
    """Note entries without a bundle; the reference says it in these words of the last channel only."""
    missing = sorted({entry.name for entry in channel.entries if entry.name} - package.bundles.keys())
    if not missing:
        return
    message = f'no olm.bundle blobs found in package "{package.name}" for olm.channel entries [{" ".join(missing)}]'
    # Of other channels the reference says it later, and thus.
    told = () if is_last else product(missing, _BARE)
    found = (in_bundle(package.name, [channel.name], name, text) for name, text in told)
    notes.add(channel.spot, Code.ENTRY_WITHOUT_BUNDLE, message, branches=tuple(chain.from_iterable(found)))


_BARE = ('must be exactly one property with type "olm.package"', "bundle image must be set")


def _take_deprecations(
    blob: DeprecationsFacts, number: int, packages: Mapping[str, PackageModel], notes: Notes
) -> None:
    """Give the entries of a blob to its package."""
    if not blob.package:
        notes.add(blob.spot, Code.NO_PACKAGE, f"package name must be set for deprecation item {number}")
        return
    package = packages.get(blob.package)
    if package is None or (package.blob is None and package.is_whole):
        message = f'cannot apply deprecations to an unknown package "{blob.package}"'
        notes.add(blob.spot, Code.UNKNOWN_PACKAGE, message)
        return
    if package.has_deprecations:
        message = f'expected a maximum of one deprecation per package: "{blob.package}"'
        notes.add(blob.spot, Code.DUPLICATE_DEPRECATION, message)
    package.has_deprecations = True
    for index, entry in enumerate(blob.entries):
        if fault := _entry_fault(entry, index, package):
            notes.add(blob.spot, Code.BAD_DEPRECATION, fault)
        elif (entry.schema, entry.name) in package.deprecated:
            message = f'duplicate deprecation entry {_shown(entry)} for package "{blob.package}"'
            notes.add(blob.spot, Code.DUPLICATE_DEPRECATION, message)
        else:
            package.deprecated[entry.schema, entry.name] = (entry, blob.spot)


def _entry_fault(entry: Deprecation, index: int, package: PackageModel) -> str:
    """Why an entry deprecates nothing; empty when it does."""
    of_package = f'for package "{package.name}"'
    match entry.schema:
        case "":
            return f"schema must be set for deprecation entry [{index}] {of_package}"
        case _ if entry.schema == SCHEMA_BUNDLE:
            is_there = entry.name in package.bundles or not package.is_whole
            return "" if is_there else f'cannot deprecate bundle "{entry.name}" {of_package}: bundle not found'
        case _ if entry.schema == SCHEMA_CHANNEL:
            is_there = entry.name in package.channels or not package.is_whole
            return "" if is_there else f'cannot deprecate channel "{entry.name}" {of_package}: channel not found'
        case _ if entry.schema == SCHEMA_PACKAGE:
            named = f'package name must be empty for deprecated package "{package.name}" (specified "{entry.name}")'
            return named if entry.name else ""
        case _:
            what = f"cannot deprecate object {_shown(entry)} referenced by entry {index}"
            return f"{what} {of_package}: object schema unknown"


def _shown(entry: Deprecation) -> str:
    return f'declcfg.PackageScopedReference{{Schema:"{entry.schema}", Name:"{entry.name}"}}'
