"""Packages as plain values: what `olm catalog show` and `olm catalog versions` print as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olm_cli.findings import Finding
from olm_cli.profile import profile_of
from olmv1.fbc import Channel, Entry
from operator_controller.resolver import Candidate

__all__ = ["package_document", "versions_document"]


def package_document(found: Finding) -> Mapping[str, Any]:
    """One package: its channels by name, each with the bundle of its highest version, and what is deprecated."""
    channels = sorted(found.package.channels, key=lambda channel: channel.name)
    profile = profile_of(found.index)
    return {
        **_head(found),
        "displayName": profile.display_name,
        "summary": profile.summary,
        "description": found.package.description,
        "provider": profile.provider,
        "provides": [{"group": api.group, "version": api.version, "kind": api.kind} for api in profile.provides],
        "bundles": len(found.index.candidates),
        "deprecatedBundles": [each.name for each in found.index.candidates if each.is_deprecated],
        "channels": [
            {**_channel(found, channel), "bundles": len(channel.entries), "newest": _newest(found, channel)}
            for channel in channels
        ],
    }


def versions_document(found: Finding, channels: frozenset[str]) -> Mapping[str, Any]:
    """The bundles of one package (of `channels` only, if any), highest version first, with the edges to each."""
    shown = sorted(
        (each for each in found.package.channels if not channels or each.name in channels), key=lambda each: each.name
    )
    entries = {(channel.name, entry.name): entry for channel in reversed(shown) for entry in reversed(channel.entries)}
    names = frozenset(channel.name for channel in shown)
    bundles = [each for each in found.index.candidates if not channels or each.channels & names]
    return {
        **_head(found),
        "channels": [_channel(found, channel) for channel in shown],
        "versions": [_version(found, each, names, entries) for each in bundles],
        "invalidSkipRanges": [
            {"channel": bad.channel, "bundle": bad.entry, "skipRange": bad.text, "message": bad.message}
            for bad in found.index.graph.invalid
            if bad.channel in names
        ],
    }


def _head(found: Finding) -> dict[str, Any]:
    return {
        "package": found.package.name,
        "catalog": found.catalog,
        "defaultChannel": found.package.default_channel,
        "deprecated": list(found.index.deprecations.package),
    }


def _channel(found: Finding, channel: Channel) -> dict[str, Any]:
    return {
        "name": channel.name,
        "isDefault": channel.name == found.package.default_channel,
        "deprecated": list(found.index.deprecations.channels.get(channel.name, ())),
    }


def _newest(found: Finding, channel: Channel) -> Mapping[str, Any] | None:
    for candidate in found.index.candidates:
        if channel.name in candidate.channels:
            return {**_identity(candidate), "deprecated": _messages(found, candidate)}
    return None


def _messages(found: Finding, candidate: Candidate) -> list[str]:
    return list(found.index.deprecations.bundles.get(candidate.name, ()))


def _identity(candidate: Candidate) -> dict[str, Any]:
    read = candidate.version
    release = read.release if read else None
    return {
        "bundle": candidate.name,
        "version": str(read.version) if read else candidate.bundle.version_text or "",
        "release": str(release) if release else None,
    }


def _version(
    found: Finding, candidate: Candidate, channels: frozenset[str], entries: Mapping[tuple[str, str], Entry]
) -> Mapping[str, Any]:
    document = {
        **_identity(candidate),
        "image": candidate.bundle.image,
        "deprecated": _messages(found, candidate),
        "channels": [_edges(name, entries[name, candidate.name]) for name in sorted(candidate.channels & channels)],
        "skippedIn": sorted(candidate.skipped_in & channels),
    }
    if candidate.version is None:
        document["versionError"] = candidate.version_error
    return document


def _edges(channel: str, entry: Entry) -> Mapping[str, Any]:
    document: dict[str, Any] = {"name": channel}
    if entry.replaces:
        document["replaces"] = entry.replaces
    if entry.skips:
        document["skips"] = list(entry.skips)
    if entry.skip_range:
        document["skipRange"] = entry.skip_range
    return document
