"""Manifests of an account as YAML: with the reason for each rule, to be read and reviewed, or without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence

from olmv1.manifests import Manifest
from olmv1.yaml import dump_yaml
from operator_controller.authorization import Document, PolicyRule, Reason, Section

__all__ = ["commented", "plain"]

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9./_-]*")
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_WIDTH = 120
_SHOWN = 3


def plain(documents: Iterable[Manifest]) -> Iterator[str]:
    """Each manifest as one document."""
    return (f"---\n{dump_yaml(manifest)}" for manifest in documents)


def commented(documents: Iterable[Document], versions: Sequence[str]) -> Iterator[str]:
    """Each manifest as one document, with a comment above every rule that is not for the objects of all versions."""
    for document in documents:
        manifest = {key: value for key, value in document.manifest.items() if key != "rules"}
        yield f"---\n{dump_yaml(manifest)}"
        if "rules" in document.manifest:
            yield "rules:\n"
            for rule, reasons in zip(document.manifest["rules"], document.reasons, strict=True):
                comment = _comment(reasons, versions)
                yield (f"# {comment}\n" if comment else "") + _rule(rule)


def _comment(reasons: Sequence[Reason], versions: Sequence[str]) -> str:
    needed = [version for version in versions if any(version in reason.versions for reason in reasons)]
    parts = [_why(reasons)] if _why(reasons) else []
    if len(needed) < len(versions):
        parts.append(f"only for {', '.join(needed)}")
    return "; ".join(parts)


def _why(reasons: Sequence[Reason]) -> str:
    if any(reason.section is Section.LEAVE for reason in reasons):
        return "instead of holding the rules of these roles"
    receivers = sorted({name for reason in reasons for name in reason.receivers})
    roles = sorted({name for reason in reasons for name in reason.roles})
    if receivers:
        return f"granted to {_listed(receivers)}"
    return f"granted by {_listed(roles)}" if roles else ""


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _SHOWN
    return ", ".join(names[:_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _rule(rule: PolicyRule) -> str:
    lines = [line for key, values in rule.items() for line in _list(key, values)]
    return "\n".join([f"- {lines[0]}", *(f"  {line}" for line in lines[1:])]) + "\n"


def _list(key: str, values: Sequence[str]) -> list[str]:
    """`verbs: [get, list]`, or one value a line where that gets too long."""
    scalars = [_scalar(value) for value in values]
    line = f"{key}: [{', '.join(scalars)}]"
    return [line] if len(line) < _WIDTH - 2 else [f"{key}:", *(f"- {scalar}" for scalar in scalars)]


def _scalar(value: str) -> str:
    is_plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
    return value if is_plain else json.dumps(value, ensure_ascii=False)
