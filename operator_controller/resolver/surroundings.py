"""What a person should know of a choice and its cluster: bundles that need a newer Kubernetes, install modes, webhooks.

Only Kubernetes removes candidates (decision 5); the rest is advice and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from olmv1.versions import VersionRelease, quoted
from operator_controller.resolver.answer import Note, NoteKind
from operator_controller.resolver.filters import KUBERNETES
from operator_controller.resolver.offers import Offer
from operator_controller.resolver.trace import CatalogTrace

__all__ = ["advice_on_bundle", "notes_on_kubernetes"]

_ALL_NAMESPACES = "AllNamespaces"


def notes_on_kubernetes(traces: Iterable[CatalogTrace], chosen: VersionRelease | None) -> Iterator[Note]:
    """A note on the best bundle that only the cluster's Kubernetes keeps away; a better one than the chosen."""
    for trace in traces:
        for step in trace.filters:
            if step.filter is not KUBERNETES:
                continue
            for candidate in step.removed:
                is_better = candidate.version is not None and (chosen is None or candidate.version > chosen)
                if is_better and not candidate.is_deprecated:
                    reason = step.filter.reason(candidate, step.view)
                    yield Note(NoteKind.KUBERNETES_TOO_OLD, f"bundle {quoted(candidate.name)} is left out: {reason}")
                    return


def advice_on_bundle(offer: Offer) -> Iterator[str]:
    """What the catalog tells of the offered bundle's install modes and webhooks, as far as it needs a thought."""
    environment = offer.view.index.environments.of(offer.candidate.bundle)
    name = quoted(offer.candidate.name)
    modes = environment.install_modes
    if modes is not None and _ALL_NAMESPACES not in modes:
        yield f"bundle {name} does not support install mode {_ALL_NAMESPACES}, only [{' '.join(modes)}]"
    if environment.has_webhooks:
        yield f"bundle {name} has webhooks, which need certificates"
