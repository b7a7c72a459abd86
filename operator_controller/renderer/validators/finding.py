"""What a validator says, and where to look.

The words are those of the specification; the place is added for people. Rule: bundle-rendering.md 8, 15 row 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from olmv1.manifests import Manifest
from operator_controller.bundle import Bundle

__all__ = ["DEPLOYMENTS", "WEBHOOKS", "Finding", "Validator", "in_crd", "in_csv", "in_other", "in_webhook"]

DEPLOYMENTS = "spec.install.spec.deployments"
WEBHOOKS = "spec.webhookdefinitions"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the answer; `place` is a file, a path inside it, or both, and may be empty."""

    words: str
    place: str = ""

    def __str__(self) -> str:
        return f"{self.words} ({self.place})" if self.place else self.words


Validator = Callable[[Bundle], Iterable[Finding]]


def in_csv(bundle: Bundle, words: str, path: str) -> Finding:
    """A finding at `path` of the ClusterServiceVersion."""
    return Finding(words, ", ".join(filter(None, (bundle.csv_path, path))))


def in_webhook(bundle: Bundle, words: str, webhook: Manifest) -> Finding:
    """A finding in one of the webhooks of the ClusterServiceVersion."""
    return in_csv(bundle, words, f"{WEBHOOKS}[{bundle.webhooks.index(webhook)}]")


def in_crd(bundle: Bundle, words: str, *indexes: int) -> Finding:
    """A finding in these CRDs of the bundle."""
    return Finding(words, _files(bundle.crd_paths, indexes))


def in_other(bundle: Bundle, words: str, index: int) -> Finding:
    """A finding in one of the additional resources."""
    return Finding(words, _files(bundle.other_paths, (index,)))


def _files(paths: Sequence[str], indexes: Iterable[int]) -> str:
    """The distinct files in their order; a bundle that was not read from files has none."""
    return ", ".join(dict.fromkeys(paths[index] for index in indexes)) if paths else ""
