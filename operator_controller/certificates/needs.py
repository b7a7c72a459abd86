"""Which certificates a revision needs, and for which names."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from operator_controller.revisions.plan import Place, Plan

__all__ = ["Need", "is_certified", "needs_of"]


@dataclass(frozen=True, slots=True, order=True)
class Need:
    """A serving certificate: the Secret it goes into, and the DNS names it is for (sorted)."""

    place: Place
    names: tuple[str, ...]


def is_certified(plan: Plan) -> bool:
    """Whether the built-in provider has anything to do for the revision."""
    return any(planned.serves is not None or planned.trusts is not None for planned in plan.objects)


def needs_of(plan: Plan) -> tuple[Need, ...]:
    """One need per Secret, sorted; Services that share a Secret share its certificate."""
    names: defaultdict[Place, set[str]] = defaultdict(set)
    for planned in plan.objects:
        if planned.serves is not None:
            names[planned.serves].update(_names(planned.key.name, planned.key.namespace))
    return tuple(Need(place, tuple(sorted(found))) for place, found in sorted(names.items()))


def _names(service: str, namespace: str) -> tuple[str, str, str]:
    """The names of a Service inside the cluster; the API server asks for the one that ends in `.svc`."""
    host = f"{service}.{namespace}"
    return (host, f"{host}.svc", f"{host}.svc.cluster.local")
