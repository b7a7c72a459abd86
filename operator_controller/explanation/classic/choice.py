"""What OLM Classic would choose in one channel of one catalog, and where it would go from there.

Rule: resolution.md 13: head first, then the candidates of the chain in its order, the installed one last.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from olmv1.versions import Version
from operator_controller.explanation.classic.chain import Chain, chains_of
from operator_controller.explanation.reading import version_of
from operator_controller.resolver import PackageIndex, Request

__all__ = ["ClassicChoice", "Move", "choices_in"]


class Move(StrEnum):
    """What happens to the Subscription."""

    INSTALL = "install"
    UPGRADE = "upgrade"
    STAY = "stay"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class ClassicChoice:
    """The choice in one channel: `bundle` is empty unless the move is an install or an upgrade.

    `precedence`: the step of Classic's documented order that decides: 1 the head, whose skipRange holds the installed
    version, 2 the next one of the chain; 0 for every other move. `hops`: this bundle and those that follow.
    """

    catalog: str
    channel: str
    is_default: bool
    chain: Chain
    move: Move
    bundle: str = ""
    precedence: int = 0
    hops: tuple[str, ...] = ()


def choices_in(catalog: str, index: PackageIndex, request: Request) -> tuple[ClassicChoice, ...]:
    """The choice in every channel: the default channel first, the others by name."""
    edges = _Edges(index)
    choices = [_choice(catalog, edges, chain, request) for chain in chains_of(index).values()]
    return tuple(sorted(choices, key=lambda choice: (not choice.is_default, choice.channel)))


class _Edges:
    """The edges of a package, looked up once for each bundle that they start from."""

    def __init__(self, index: PackageIndex) -> None:
        self.index = index
        self._known: dict[str, Mapping[str, Mapping[str, bool]]] = {}

    def leaving(self, name: str, version: Version | None, channel: str) -> Mapping[str, bool]:
        """Successor in that channel → whether a skipRange leads there."""
        if name not in self._known:
            found: dict[str, dict[str, bool]] = defaultdict(dict)
            for successor, edges in self.index.graph.edges_from(name, version, frozenset()).items():
                for edge in edges:
                    found[edge.channel][successor] = not edge.is_named or found[edge.channel].get(successor, False)
            self._known[name] = found
        return self._known[name].get(channel, {})

    def version(self, name: str) -> Version | None:
        """The version of a bundle; `None` when it cannot be read."""
        version = self.index.by_name[name].version
        return version.version if version is not None else None


def _choice(catalog: str, edges: _Edges, chain: Chain, request: Request) -> ClassicChoice:
    is_default = chain.channel == edges.index.default_channel
    if chain.error or not chain.links:
        return ClassicChoice(catalog, chain.channel, is_default, chain, Move.ERROR)
    if request.installed is None:
        hops = (chain.head, *_hops(edges, chain, chain.head, edges.version(chain.head)))
        return ClassicChoice(catalog, chain.channel, is_default, chain, Move.INSTALL, chain.head, hops=hops)
    read = version_of(request.installed)
    version = read.version if read is not None else None
    hops = tuple(_hops(edges, chain, request.installed_name, version))
    if not hops:
        return ClassicChoice(catalog, chain.channel, is_default, chain, Move.STAY)
    is_head = hops[0] == chain.head and edges.leaving(request.installed_name, version, chain.channel)[chain.head]
    precedence = 1 if is_head else 2
    return ClassicChoice(catalog, chain.channel, is_default, chain, Move.UPGRADE, hops[0], precedence, hops)


def _hops(edges: _Edges, chain: Chain, name: str, version: Version | None) -> Iterator[str]:
    seen = {name}
    while True:
        successors = edges.leaving(name, version, chain.channel)
        name = next((link for link in chain.links if link != name and link in successors), "")
        if not name or name in seen:
            return
        yield name
        seen.add(name)
        version = edges.version(name)
