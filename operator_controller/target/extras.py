"""Extras of ours on a ClusterExtension: annotations unknown to the Go reference. Rule: architecture section 7."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from olmv1.api.names import EXTRAS_PREFIX

__all__ = ["ANNOTATION_HOLD_MAJOR", "holds_major", "strange_extras"]

ANNOTATION_HOLD_MAJOR = f"{EXTRAS_PREFIX}hold-major"
"""`"true"`: edges that cross a major version are not followed. Rule: decision 4."""

_KNOWN: Mapping[str, tuple[str, ...]] = {ANNOTATION_HOLD_MAJOR: ("true", "false")}


def holds_major(annotations: Mapping[str, str]) -> bool:
    """Whether upgrades to another major version are held back."""
    return annotations.get(ANNOTATION_HOLD_MAJOR) == "true"


def strange_extras(annotations: Mapping[str, str]) -> Iterator[str]:
    """A sentence for every extra that is unknown or has a value without meaning, by name; none of them is a failure."""
    for name, value in sorted(annotations.items()):
        if not name.startswith(EXTRAS_PREFIX):
            continue
        if name not in _KNOWN:
            known = ", ".join(sorted(_KNOWN))
            yield f'annotation "{name}" is not known and has no effect: expected one of {known}'
        elif value not in _KNOWN[name]:
            yield f'annotation "{name}" has no effect: expected one of {", ".join(_KNOWN[name])}, found "{value}"'
