"""What is wrong with whole packages: default channels, graphs, versions, releases. Rule: fbc.md 9, phase 3, and 16."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from olmv1.fbc.model import SCHEMA_BUNDLE, SCHEMA_CHANNEL, SCHEMA_PACKAGE, Entry
from olmv1.fbc.validation.branches import in_bundle, in_channel
from olmv1.fbc.validation.conversion import PackageModel
from olmv1.fbc.validation.facts import BundleFacts, ChannelFacts, Spot
from olmv1.fbc.validation.finding import Code, Place, Subject
from olmv1.fbc.validation.graph import graph_faults
from olmv1.fbc.validation.notes import Notes
from olmv1.versions import SkipRange, Version, VersionRelease

__all__ = ["check_package"]


def check_package(package: PackageModel, notes: Notes) -> None:
    """Note every fault of the model of one package."""
    if package.blob is not None and package.is_whole:
        _check_channels(package, package.blob.default_channel, package.blob.spot, notes)
    for channel in package.channels.values():
        _check_channel(channel, package, notes)
    channels_of = package.channels_by_bundle()
    for bundle in package.bundles.values():
        _check_bundle(bundle, channels_of.get(bundle.name, ()), notes)
    for (schema, name), (entry, spot) in package.deprecated.items():
        if not entry.message:
            message = "invalid deprecation: message must be set"
            channels = channels_of.get(name, ()) if schema == SCHEMA_BUNDLE else ()
            about = Spot(spot.number, spot.place, Subject(schema, package.name, name or package.name))
            branches = in_bundle(package.name, channels, name, message)
            notes.add(about, Code.NO_DEPRECATION_MESSAGE, message, branches=branches)
    _check_versions(package, notes)


def _check_channels(package: PackageModel, default: str, spot: Spot, notes: Notes) -> None:
    """Note a package without channels, and a default channel that is not one of them."""
    if not default:
        notes.add(spot, Code.NO_DEFAULT_CHANNEL, "default channel must be set")
    elif default not in package.channels:
        known = " ".join(sorted(package.channels))
        message = f'default channel "{default}" does not exist, the package has channels [{known}]'
        # The reference puts an empty channel of this name in its place.
        about = Spot(spot.number, spot.place, Subject(SCHEMA_CHANNEL, package.name, default))
        notes.add(about, Code.UNKNOWN_DEFAULT_CHANNEL, message, branches=in_channel(package.name, default, _EMPTY))
    if not package.channels and not default:
        notes.add(spot, Code.NO_CHANNEL, "package must contain at least one channel")


_EMPTY = "channel must contain at least one bundle"


def _check_channel(channel: ChannelFacts, package: PackageModel, notes: Notes) -> None:
    if not channel.entries:
        notes.add(channel.spot, Code.EMPTY_CHANNEL, _EMPTY)
        return
    for code, message in graph_faults(channel.entries):
        notes.add(channel.spot, code, message)
    for entry in channel.entries:
        _check_entry(entry, channel, package.bundles.get(entry.name), notes)


def _check_entry(entry: Entry, channel: ChannelFacts, bundle: BundleFacts | None, notes: Notes) -> None:
    """Note what is wrong with the skips of one entry; said of the bundle, written in the channel."""
    spot = Spot(channel.spot.number, channel.spot.place, Subject(SCHEMA_BUNDLE, channel.package, entry.name))

    def note(code: Code, message: str) -> None:
        branches = in_bundle(channel.package, [channel.name], entry.name, message)
        notes.add(spot, code, message, branches=branches)

    for number, skip in enumerate(entry.skips):
        if not skip:
            note(Code.EMPTY_SKIP, f"skip[{number}] is empty")
    if not entry.skip_range:
        return
    try:
        found = SkipRange.parse(entry.skip_range)
    except ValueError as error:
        note(Code.BAD_SKIP_RANGE, f'invalid skipRange "{entry.skip_range}": {error}')
        return
    if not found.intervals:
        note(Code.SKIP_RANGE_EMPTY, f'no version can be in skipRange "{entry.skip_range}"')
    elif bundle is not None and bundle.version is not None and found.contains(Version.parse(bundle.version)):
        message = f'skipRange "{entry.skip_range}" holds the entry\'s own version {bundle.version}'
        note(Code.SKIP_RANGE_OWN_VERSION, message)


def _check_bundle(bundle: BundleFacts, channels: Sequence[str], notes: Notes) -> None:
    def note(code: Code, message: str) -> None:
        branches = in_bundle(bundle.package, channels, bundle.name, message)
        notes.add(bundle.spot, code, message, branches=branches)

    if not bundle.has_image:
        note(Code.NO_IMAGE, "bundle image must be set")
    if not bundle.release or bundle.version is None:
        return
    normalized = f"{bundle.package}-v{bundle.version}-{bundle.release}"
    if "+" in bundle.version:
        note(Code.RELEASE_AND_BUILD, "cannot use build metadata in version with a release version")
    if bundle.name != normalized:
        note(Code.RELEASE_NAME, f'name "{bundle.name}" does not match normalized name "{normalized}"')


def _check_versions(package: PackageModel, notes: Notes) -> None:
    """Note bundles that share a version, and those that only compare equal. Rule: fbc.md 11 and 16.14."""
    by_text: dict[str, list[str]] = {}
    by_order: dict[VersionRelease, list[str]] = {}
    for bundle in package.bundles.values():
        if bundle.version is None:
            continue
        text = f"{bundle.version}-{bundle.release}" if bundle.release else bundle.version
        by_text.setdefault(text, []).append(bundle.name)
        order = VersionRelease.parse(bundle.version, bundle.release)
        by_order.setdefault(order, []).append(bundle.name)
    spot = _spot_of(package)
    same = {text: sorted(names) for text, names in sorted(by_text.items()) if len(names) > 1}
    if same:
        listed = " ".join(f"{{{text}: [{', '.join(names)}]}}" for text, names in same.items())
        notes.add(spot, Code.DUPLICATE_VERSION, f"duplicate versions found in bundles: [{listed}]")
    _check_ties(by_order, list(same.values()), spot, notes)


def _check_ties(by_order: Mapping[VersionRelease, list[str]], told: list[list[str]], spot: Spot, notes: Notes) -> None:
    for order, names in sorted(by_order.items(), key=lambda item: item[0]):
        listed = sorted(names)
        if len(listed) > 1 and listed not in told:
            message = f"bundles {', '.join(listed)} compare equal ({order.version.text}): the name decides between them"
            notes.add(spot, Code.EQUAL_VERSIONS, message)


def _spot_of(package: PackageModel) -> Spot:
    """The place of faults of the package as a whole: its blob, else the first of its parts."""
    if package.blob is not None:
        return package.blob.spot
    first = min(package.spots, key=lambda spot: spot.number, default=None)
    subject = Subject(SCHEMA_PACKAGE, package.name, package.name)
    return Spot(first.number, first.place, subject) if first else Spot(0, Place(), subject)
