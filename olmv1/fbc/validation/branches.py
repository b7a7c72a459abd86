"""Where the tree of the reference shows a fault of a channel or bundle. Rule: fbc.md 9, phase 3."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Branch", "in_bundle", "in_channel", "in_package"]

Branch = tuple[str, ...]
"""Names of branches from the root inwards (`package "foo"`), and last the text of the leaf."""


def in_package(package: str, text: str) -> Branch:
    """The leaf `text` of a package."""
    return (f'package "{package}"', text)


def in_channel(package: str, channel: str, text: str) -> tuple[Branch, ...]:
    """The leaf `text` of a channel."""
    return ((f'package "{package}"', f'channel "{channel}"', text),)


def in_bundle(package: str, channels: Sequence[str], bundle: str, text: str) -> tuple[Branch, ...]:
    """The leaf `text` of a bundle: once for every channel that has it; nothing for a bundle in none."""
    return tuple((f'package "{package}"', f'channel "{channel}"', f'bundle "{bundle}"', text) for channel in channels)
