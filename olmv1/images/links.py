"""Links between files of the kept directory: which file's content each of them stands for.

Pure. Links are never made anywhere; the file that a link leads to is delivered once more under the link's name. Layers
are numbered from 0, the oldest. Rule: fbc.md 3 (symbolic links), but a target outside the kept directory is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from olmv1.images.entry_names import is_within, link_target, plain_name, quoted
from olmv1.images.limits import LayerError
from olmv1.images.tar_stream import EntryKind, TarEntry

__all__ = ["Link", "Wanted", "link_of", "wanted_of"]

_HOPS = 16


@dataclass(frozen=True, slots=True)
class Link:
    """A visible link in `layer`; a hard link stands for the content that its target had in that layer."""

    name: str
    target: str
    layer: int
    is_hard: bool


@dataclass(slots=True)
class Wanted:
    """Contents that have to be read once more.

    `copies`: by name of the file, the names of the links with the newest layer to look in. `dangling`: one
    sentence per link that leads to no file.
    """

    copies: dict[str, list[Link]] = field(default_factory=dict)
    dangling: list[LayerError] = field(default_factory=list)


def link_of(name: str, entry: TarEntry, layer: int, keep: str) -> Link:
    """The link that the kept entry `name` (plain) makes.

    Raises:
        LayerError: it leads out of the image, or out of the kept directory.
    """
    is_hard = entry.kind is EntryKind.HARD_LINK
    target = plain_name(entry.link.lstrip("/")) if is_hard else link_target(name, entry.link)
    if not is_within(target, keep):
        raise LayerError(
            f"the link to {quoted(entry.link)} leads out of the directory {quoted('/' + keep)}", entry=name
        )
    return Link(name, target, layer, is_hard)


def wanted_of(links: Mapping[str, Link], files: Mapping[str, int]) -> Wanted:
    """What to read again for `links`, given the layer of every visible file."""
    wanted = Wanted()
    for link in links.values():
        try:
            target, layer = _followed(link, links, files)
        except LayerError as refusal:
            wanted.dangling.append(refusal)
        else:
            wanted.copies.setdefault(target, []).append(Link(link.name, target, layer, link.is_hard))
    return wanted


def _followed(link: Link, links: Mapping[str, Link], files: Mapping[str, int]) -> tuple[str, int]:
    """The file at the end of a chain of links, and the newest layer that may hold its content."""
    step = link
    for _ in range(_HOPS):
        further = links.get(step.target)
        if further is None or (step.is_hard and further.layer > step.layer):
            break
        step = further
    else:
        raise LayerError(f"more than {_HOPS} links in a row", entry=link.name)
    if step.is_hard:
        return step.target, step.layer
    if step.target not in files:
        raise LayerError(f"the link leads to {quoted(step.target)}, which is no file of the image", entry=link.name)
    return step.target, files[step.target]
