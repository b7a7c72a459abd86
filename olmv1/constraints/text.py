"""Predicates in words, on one line. Rule: dependencies.md 10."""

from __future__ import annotations

from typing import assert_never

from olmv1.constraints.predicates import (
    AllOf,
    AnyOf,
    ApiRequired,
    KubernetesRequired,
    LabelRequired,
    NoneOf,
    PackageRequired,
    Predicate,
    RuleRequired,
)
from olmv1.versions import quoted

__all__ = ["api_text", "text_of"]


def text_of(predicate: Predicate) -> str:
    """What is asked for: `package "blue" in version range ">=1.0.0"`, `one of (…, …)`; without failure messages."""
    match predicate:
        case PackageRequired():
            return f"package {quoted(predicate.package)} in version range {quoted(predicate.range.text)}"
        case ApiRequired():
            return api_text(predicate.api)
        case LabelRequired():
            return f"label {quoted(predicate.label)}"
        case RuleRequired():
            return " ".join(predicate.rule.split())
        case KubernetesRequired():
            return f"Kubernetes >= {predicate.minimum}"
        case AllOf():
            return _joined("all of", predicate.parts)
        case AnyOf():
            return _joined("one of", predicate.parts)
        case NoneOf():
            return _joined("none of", predicate.parts)
    assert_never(predicate)


def api_text(api: tuple[str, str, str]) -> str:
    """`API Blue.v1.blues.example.com`, of the core `API Pod.v1`."""
    group, version, kind = api
    return "API " + ".".join(part for part in (kind, version, group) if part)


def _joined(word: str, parts: tuple[Predicate, ...]) -> str:
    return f"{word} ({', '.join(map(text_of, parts))})"
