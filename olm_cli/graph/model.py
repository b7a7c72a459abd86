"""What is drawn: the bundles of a package and the edges between them, with everything that is marked."""

from __future__ import annotations

from dataclasses import dataclass

from operator_controller.resolver import EdgeKind

__all__ = ["ChannelView", "GraphEdge", "GraphNode", "PackageGraph"]


@dataclass(frozen=True, slots=True)
class ChannelView:
    """A channel that is shown. `chain` is what OLM Classic walks, head first; without one `problem` says why."""

    name: str
    is_default: bool
    deprecations: tuple[str, ...]
    chain: tuple[str, ...]
    problem: str = ""

    @property
    def head(self) -> str:
        """The bundle that OLM Classic installs; empty for none."""
        return self.chain[0] if self.chain else ""


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A bundle, or a name that edges have and the catalog has not (`is_missing`).

    `version` is for display, empty when it cannot be read. `channels` are those shown that hold it; some entry of
    `skipped_in` skips it. `is_elsewhere`: only channels that are not shown hold it. `is_reachable`: upgrades lead there
    from the installed bundle, one step or more.
    """

    name: str
    version: str
    channels: tuple[str, ...] = ()
    skipped_in: tuple[str, ...] = ()
    deprecations: tuple[str, ...] = ()
    is_missing: bool = False
    is_elsewhere: bool = False
    is_installed: bool = False
    is_next: bool = False
    is_reachable: bool = False

    @property
    def is_skipped(self) -> bool:
        """Whether it is skipped wherever it is."""
        return bool(self.channels) and set(self.channels) <= set(self.skipped_in)


@dataclass(frozen=True, slots=True)
class GraphEdge:
    """A way from one bundle to its successor; `text` is the skipRange that makes it, if one does.

    `classic_ignores`: those of `channels` in which OLM Classic does not see it.
    """

    source: str
    target: str
    kind: EdgeKind
    text: str
    channels: tuple[str, ...]
    classic_ignores: tuple[str, ...] = ()

    @property
    def is_ignored(self) -> bool:
        """Whether OLM Classic sees it in no channel."""
        return len(self.classic_ignores) == len(self.channels)


@dataclass(frozen=True, slots=True)
class PackageGraph:
    """One package of one catalog: `nodes` highest version first, `edges` in the order of their ends.

    `installed` is the name of the bundle that upgrades start from; empty for none. `notes` are sentences for people.
    """

    package: str
    catalog: str
    channels: tuple[ChannelView, ...]
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    deprecations: tuple[str, ...] = ()
    installed: str = ""
    notes: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """`lamp in catalog lights`."""
        return f"{self.package} in catalog {self.catalog}"
