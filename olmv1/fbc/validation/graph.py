"""The upgrade graph of one channel: one head, a chain without a cycle, nobody left behind. Rule: fbc.md 10."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from olmv1.fbc.model import Entry
from olmv1.fbc.validation.finding import Code

__all__ = ["graph_faults"]


def graph_faults(entries: Sequence[Entry]) -> Iterator[tuple[Code, str]]:
    """What is wrong with the graph of a channel that has entries: at most one finding."""
    nodes = {entry.name: entry for entry in entries}
    skipped = {name for entry in entries for name in entry.skips}
    incoming = skipped | {entry.replaces for entry in entries if entry.replaces}
    heads = sorted(nodes.keys() - incoming)
    if not heads:
        yield Code.CHANNEL_HEAD, "no channel head found in graph"
        return
    if len(heads) > 1:
        yield Code.CHANNEL_HEAD, f"multiple channel heads found in graph: {', '.join(heads)}"
        return
    chain = [heads[0]]
    cycle = _walk(nodes, skipped, chain)
    if cycle:
        yield Code.CHANNEL_CYCLE, f"detected cycle in replaces chain of upgrade graph: {' -> '.join(cycle)}"
    elif stranded := sorted(nodes.keys() - set(chain) - skipped):
        yield Code.STRANDED_BUNDLES, f"channel contains one or more stranded bundles: {', '.join(stranded)}"


def _walk(nodes: Mapping[str, Entry], skipped: set[str], chain: list[str]) -> list[str]:
    """Follow `replaces` from the head and note the way in `chain`; the cycle that it runs into, if any."""
    visited = set(chain)
    while True:
        replaced = nodes[chain[-1]].replaces
        if not replaced or replaced in skipped:
            return []
        if replaced in visited:
            return [*chain[chain.index(replaced) :], replaced]
        visited.add(replaced)
        if replaced not in nodes:
            return []
        chain.append(replaced)
