"""What a catalog says is deprecated, related to what an extension uses.

The status room turns the messages into conditions; they come from the catalog of the chosen bundle and no other.
Rule: clusterextension.md 5.3 with resolution.md 16, rows 4 and 17.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from olmv1.fbc import Deprecation
from olmv1.versions import quoted

__all__ = ["DeprecationMessages", "PackageDeprecations", "deprecations_of"]


@dataclass(frozen=True, slots=True)
class DeprecationMessages:
    """Messages about the package, the channels in use and the installed bundle; an empty tuple: not deprecated."""

    package: tuple[str, ...] = ()
    channel: tuple[str, ...] = ()
    bundle: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Every message: package, channels, bundle."""
        return (*self.package, *self.channel, *self.bundle)


@dataclass(frozen=True, slots=True)
class PackageDeprecations:
    """The deprecations of one package in one catalog: name → messages in the order of the catalog.

    `members`: bundle name → channels that hold it.
    """

    package: tuple[str, ...]
    channels: Mapping[str, tuple[str, ...]]
    bundles: Mapping[str, tuple[str, ...]]
    members: Mapping[str, frozenset[str]]

    def about(self, channels: Sequence[str], installed: str | None) -> DeprecationMessages:
        """The messages that concern an extension with these requested channels and this installed bundle.

        Without requested channels those count that hold the installed bundle; with nothing installed none does.
        """
        used = frozenset(channels) if channels else self.members.get(installed or "", frozenset())
        return DeprecationMessages(
            package=self.package,
            channel=tuple(text for name, texts in self.channels.items() if name in used for text in texts),
            bundle=self.bundles.get(installed or "", ()),
        )


def deprecations_of(
    package: str, entries: Iterable[Deprecation], members: Mapping[str, frozenset[str]]
) -> PackageDeprecations:
    """The deprecations of a package by what they name; an entry without a message gets one.

    Entries of unknown schemas are passed over.
    """
    about: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for entry in entries:
        name = package if entry.schema == "olm.package" else entry.name
        default = f"{entry.schema.removeprefix('olm.')} {quoted(name)} is deprecated"
        about[entry.schema][name].append(entry.message or default)
    return PackageDeprecations(
        package=tuple(about["olm.package"][package]),
        channels={name: tuple(texts) for name, texts in about["olm.channel"].items()},
        bundles={name: tuple(texts) for name, texts in about["olm.bundle"].items()},
        members=members,
    )
