"""Everything that is on a cluster, by name, to prove that something leaves nothing behind.

Reads only. What comes and goes by itself (Events, Leases) does not count.
"""

from __future__ import annotations

from devcluster.kubectl import Kubectl
from e2e.world import expect

__all__ = ["Inventory", "inventory", "take", "wait_for_inventory"]

Inventory = frozenset[str]
"""`Kind namespace/name` of every object; cluster-scoped ones have no namespace before the slash."""

_IGNORED = frozenset({"events", "events.events.k8s.io", "leases.coordination.k8s.io", "componentstatuses"})
_COLUMNS = "custom-columns=K:.kind,NS:.metadata.namespace,N:.metadata.name"


def inventory(kubectl: Kubectl) -> Inventory | None:
    """What is there now; `None` when a kind went away while it was read."""
    kinds = set(kubectl.run("api-resources", "--verbs=list", "-o", "name").split()) - _IGNORED
    listed = kubectl.attempt("get", ",".join(sorted(kinds)), "-A", "--no-headers", "-o", _COLUMNS)
    if listed.returncode:
        return None
    rows = (line.split() for line in listed.stdout.decode().splitlines())
    return frozenset(f"{kind} {'' if namespace == '<none>' else namespace}/{name}" for kind, namespace, name in rows)


def take(kubectl: Kubectl) -> Inventory:
    """What is there, once it could be read and no namespace is on its way out."""

    def settled() -> Inventory | None:
        phases = kubectl.run("get", "namespaces", "-o", "jsonpath={.items[*].status.phase}")
        return None if "Terminating" in phases else inventory(kubectl)

    return expect("a list of everything on the cluster", settled, lambda: "namespaces or kinds that go", timeout_s=90)


def wait_for_inventory(kubectl: Kubectl, wanted: Inventory, timeout_s: float = 30) -> None:
    """Wait until the cluster holds exactly `wanted`.

    Raises: UnmetError naming what is too much and what is missing.
    """

    def told() -> str:
        found = inventory(kubectl) or wanted
        parts = [f"left behind: {item}" for item in sorted(found - wanted)]
        return (
            "\n         ".join([*parts, *(f"lost: {item}" for item in sorted(wanted - found))]) or "nothing of it now"
        )

    expect("exactly the objects of before", lambda: inventory(kubectl) == wanted, told, timeout_s)
