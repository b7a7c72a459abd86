"""One `olm.channel` blob. Rule: fbc.md 7, 9 and 16.13."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from olmv1.fbc.model import Entry
from olmv1.fbc.validation.facts import ChannelFacts, Spot
from olmv1.fbc.validation.finding import Code
from olmv1.fbc.validation.notes import Notes
from olmv1.fbc.validation.properties import check_properties
from olmv1.fbc.validation.texts import is_subdomain

__all__ = ["read_channel"]


def read_channel(fields: Mapping[str, Any], spot: Spot, notes: Notes) -> ChannelFacts:
    """The facts of the blob, whose faults that need no other blob are noted."""
    name, package = fields.get("name", ""), fields.get("package", "")
    entries = tuple(
        Entry(each.get("name", ""), each.get("replaces", ""), tuple(each.get("skips", ())), each.get("skipRange", ""))
        for each in fields.get("entries", ())
    )
    if not name:
        notes.add(spot, Code.CHANNEL_NAME, f'package "{package}" contains channel with no name')
    elif not is_subdomain(name):
        message = f'no ClusterExtension can select channel "{name}": its name is no lower-case RFC 1123 subdomain'
        notes.add(spot, Code.CHANNEL_NAME_UNSELECTABLE, message)
    seen: set[str] = set()
    for number, entry in enumerate(entries):
        if not entry.name:
            notes.add(spot, Code.ENTRY_NAME, f'package "{package}", channel "{name}": entry [{number}] has no name')
        elif entry.name in seen:
            message = f'invalid package "{package}", channel "{name}": duplicate entry "{entry.name}"'
            notes.add(spot, Code.DUPLICATE_ENTRY, message)
        seen.add(entry.name)
    check_properties(fields.get("properties", ()), spot, notes)
    return ChannelFacts(name, package, entries, spot)
