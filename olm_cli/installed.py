"""`--installed NAME|VERSION[/RELEASE]`: the bundle that is taken to be installed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from olm_cli.problems import BadInput
from olm_cli.similar import did_you_mean
from olmv1.versions import Version, VersionRelease
from operator_controller.resolver import Candidate, InstalledBundle, PackageIndex

__all__ = ["installed_bundle"]

# The usual name of a bundle: `<package>.v<version>`.
_VERSION_IN_NAME = re.compile(r"\.v?(?P<version>[0-9]+\.[0-9]+\.[0-9]+.*)")


def installed_bundle(
    text: str, package: str, indexes: Sequence[PackageIndex], *, option: str = "--installed"
) -> InstalledBundle:
    """The bundle that `text` means: a version is looked up for its name, a name for its version.

    What no catalog has any more is taken by the names of its successors' edges, else by the usual form of names.

    Raises:
        BadInput: it is neither, or it means several bundles; the message names `option`.
    """
    version, slash, release = text.partition("/")
    try:
        Version.parse(version)
    except ValueError:
        return _by_name(text, indexes, option)
    try:
        wanted = VersionRelease.parse(version, release if slash else None)
    except ValueError as error:
        raise BadInput(f"{option} {text}: {error}") from error
    found = _with_version(wanted, indexes) or ([] if slash else _any_release(wanted, indexes))
    if len(found) > 1:
        found = [each for each in found if each.name == _usual_name(package, version)] or found
    if len(found) > 1:
        listed = ", ".join(f"{each.name} ({each.version})" for each in found)
        raise BadInput(f"{option} {text}: several bundles have this version: name one of {listed}")
    if found:
        return _recorded(found[0])
    name = _name_in_edges(version, indexes) or _usual_name(package, version)
    return InstalledBundle(name, str(wanted.version), str(wanted.release) if wanted.release else None)


def _by_name(name: str, indexes: Sequence[PackageIndex], option: str) -> InstalledBundle:
    for index in indexes:
        if name in index.by_name:
            return _recorded(index.by_name[name])
    found = _VERSION_IN_NAME.search(name)
    try:
        return InstalledBundle(name, str(Version.parse(found["version"] if found else "")))
    except ValueError as error:
        text = f'{option} {name}: expected a version or the name of a bundle, and no catalog has a bundle "{name}"'
        known = (each for index in indexes for each in index.by_name)
        raise BadInput(text + (did_you_mean(name, known) or "; did you mean a version such as 1.2.3?")) from error


def _recorded(candidate: Candidate) -> InstalledBundle:
    """The bundle as a rollout records it."""
    read = candidate.version
    if read is None:
        return InstalledBundle(candidate.name, candidate.bundle.version_text or "", None, candidate.bundle.image)
    release = str(read.release) if read.release else None
    return InstalledBundle(candidate.name, str(read.version), release, candidate.bundle.image)


def _with_version(wanted: VersionRelease, indexes: Iterable[PackageIndex]) -> list[Candidate]:
    found = {each.name: each for index in indexes for each in index.candidates if each.version == wanted}
    return [found[name] for name in sorted(found)]


def _any_release(wanted: VersionRelease, indexes: Iterable[PackageIndex]) -> list[Candidate]:
    """The bundles of that version whatever their release, for someone who does not know that there are releases."""
    if wanted.release is not None:
        return []
    every = (each for index in indexes for each in index.candidates if each.version is not None)
    found = {each.name: each for each in every if each.version and each.version.version == wanted.version}
    return [found[name] for name in sorted(found)]


def _name_in_edges(version: str, indexes: Iterable[PackageIndex]) -> str | None:
    names = {name for index in indexes for name in (*index.graph.named, *index.graph.members)}
    found = sorted(name for name in names if name.endswith((f".v{version}", f".{version}", f"-v{version}")))
    return found[0] if len(found) == 1 else None


def _usual_name(package: str, version: str) -> str:
    return f"{package}.v{version}"
