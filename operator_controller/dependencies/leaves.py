"""The unmet leaves of what was found about a requirement."""

from __future__ import annotations

from collections.abc import Iterator

from olmv1.constraints import AllOf, AnyOf, Finding, Leaf, NoneOf

__all__ = ["unmet_leaves"]


def unmet_leaves(finding: Finding) -> Iterator[Leaf]:
    """The leaves that something has to be found for; what must not be present is none of them."""
    if finding.is_met:
        return
    match finding.predicate:
        case AllOf() | AnyOf():
            for part in finding.parts:
                yield from unmet_leaves(part)
        case NoneOf():
            return
        case leaf:
            yield leaf
