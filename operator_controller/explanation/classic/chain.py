"""The order that OLM Classic sees in a channel: from its head along `replaces`, skipped entries taken out.

Rule: resolution.md 13, "chain", and its graph errors.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from operator_controller.resolver import EdgeKind, PackageIndex

__all__ = ["Chain", "chains_of"]


@dataclass(frozen=True, slots=True)
class Chain:
    """One channel: `links` head first. Never chosen are entries that are `skipped`, and those `off` the way along
    `replaces` from the head, which may be skipped as well; both sorted.

    With an `error` Classic chooses nothing. Entries without a bundle do not exist.
    """

    channel: str
    links: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    off: tuple[str, ...] = ()
    error: str = ""

    @property
    def head(self) -> str:
        """The bundle that a first install takes; empty when there is none."""
        return self.links[0] if self.links else ""


def chains_of(index: PackageIndex) -> Mapping[str, Chain]:
    """Channel → its chain, channels by name."""
    members: dict[str, set[str]] = {name: set() for name in sorted(index.graph.channels)}
    for name, channels in index.graph.members.items():
        if name in index.by_name:
            for channel in channels:
                members[channel].add(name)
    links = _links(index)
    return {channel: _chain(index.name, channel, names, links[channel]) for channel, names in members.items()}


@dataclass(slots=True)
class _Links:
    """Edges of one channel: who replaces whom, and who has a successor by name or was skipped."""

    replaces: dict[str, str]
    followed: set[str]
    skipped: set[str]


def _links(index: PackageIndex) -> Mapping[str, _Links]:
    found: dict[str, _Links] = defaultdict(lambda: _Links({}, set(), set()))
    for edges in index.graph.named.values():
        for edge in edges:
            if edge.successor not in index.by_name:
                continue
            links = found[edge.channel]
            links.followed.add(edge.text)
            if edge.kind is EdgeKind.REPLACES:
                links.replaces[edge.successor] = edge.text
            else:
                links.skipped.add(edge.text)
    return found


def _chain(package: str, channel: str, members: set[str], links: _Links) -> Chain:
    if not members:
        return Chain(channel)
    place = f'channel "{channel}" of package "{package}"'
    heads = sorted(members - links.followed)
    if not heads:
        text = f"no channel heads (entries not replaced by another entry) found in {place}"
        return Chain(channel, error=text)
    walks = []
    for head in heads:
        walked = list(_walked(head, members, links))
        if len(walked) > len(set(walked)):
            return Chain(
                channel, error=f'a cycle exists in the chain of replacement beginning with "{head}" in {place}'
            )
        walks.append(walked)
    chains = [tuple(name for name in walked if name not in links.skipped) for walked in walks]
    if len(chains) > 1:
        return Chain(channel, error=_several(chains, place))
    return Chain(channel, chains[0], tuple(sorted(links.skipped & members)), tuple(sorted(members - set(walks[0]))))


def _walked(head: str, members: set[str], links: _Links) -> Iterator[str]:
    """From the head along `replaces`; the first repeated entry ends it."""
    seen: set[str] = set()
    name: str | None = head
    while name in members:
        yield name
        if name in seen:
            return
        seen.add(name)
        name = links.replaces.get(name)


def _several(chains: Sequence[Sequence[str]], place: str) -> str:
    shown = ", ".join(chain[0] if len(chain) == 1 else f"{chain[0]}...{chain[-1]}" for chain in chains)
    return (
        "a unique replacement chain within a channel is required to determine the relative order between channel "
        f"entries, but {len(chains)} replacement chains were found in {place}: {shown}"
    )
