"""One object out of two that do not contradict each other.

Used by the improvement of duplicates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from olmv1.manifests import Manifest

__all__ = ["ContradictionError", "merged"]

# Lists of which each entry stands for itself: what any of the twins asks for is asked for.
_UNIONS = frozenset({"rules", "subjects", "imagePullSecrets", "secrets"})
_IGNORED = frozenset({"status", "creationTimestamp", "apiVersion"})


class ContradictionError(ValueError):
    """Two objects say different things; `str()` is the path of the first difference."""


def merged(first: Manifest, second: Manifest) -> Manifest:
    """`first` with everything that only `second` says.

    Raises: ContradictionError where both say something and not the same.
    """
    return _mapping(first, second, "")


def _mapping(first: Mapping[str, Any], second: Mapping[str, Any], path: str) -> Mapping[str, Any]:
    result = dict(first)
    for name, value in second.items():
        if name in _IGNORED or value is None:
            continue
        known = result.get(name)
        result[name] = value if known is None else _value(known, value, f"{path}.{name}".removeprefix("."))
    return result


def _value(first: Any, second: Any, path: str) -> Any:
    if first == second:
        return first
    if isinstance(first, Mapping) and isinstance(second, Mapping):
        return _mapping(first, second, path)
    if path in _UNIONS and isinstance(first, Sequence) and isinstance(second, Sequence):
        return [*first, *(item for item in second if item not in first)]
    raise ContradictionError(path)
