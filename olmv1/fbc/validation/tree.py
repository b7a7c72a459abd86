"""Findings as the text tree of `opm validate`. Rule: fbc.md 9, phase 3; siblings are sorted by name here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from olmv1.fbc.model import SCHEMA_CHANNEL
from olmv1.fbc.validation.branches import Branch, in_channel, in_package
from olmv1.fbc.validation.finding import Finding, Phase, Severity

__all__ = ["tree"]


def tree(findings: Iterable[Finding]) -> str:
    """The errors among the findings as a tree without a newline at its end; empty when there are none.

    Faults that the reference would have stopped at before it made a tree are leaves of their package, or of the root.
    """
    root = _Node()
    for finding in findings:
        if finding.severity is Severity.ERROR:
            for branch in finding.branches or _branches(finding):
                root.add(branch)
    return "\n".join(["invalid index:", *root.lines("")]) if root.leaves or root.inner else ""


@dataclass(slots=True)
class _Node:
    """One branch: its leaves in the order of the rules, and the branches in it by name."""

    leaves: dict[str, None] = field(default_factory=dict)
    inner: dict[str, _Node] = field(default_factory=dict)

    def add(self, branch: Branch) -> None:
        """Take one leaf; the same text again is nothing new."""
        name, *rest = branch
        if rest:
            self.inner.setdefault(name, _Node()).add(tuple(rest))
        else:
            self.leaves[name] = None

    def lines(self, indent: str) -> Iterator[str]:
        """The lines of everything below this branch: leaves first."""
        children: list[tuple[str, _Node | None]] = [(leaf, None) for leaf in self.leaves]
        children += [(f"invalid {name}:", self.inner[name]) for name in sorted(self.inner)]
        for number, (text, node) in enumerate(children):
            is_last = number == len(children) - 1
            yield f"{indent}{'└── ' if is_last else '├── '}{text}"
            if node is not None:
                yield from node.lines(indent + ("    " if is_last else "│   "))


def _branches(finding: Finding) -> tuple[Branch, ...]:
    subject = finding.subject
    if finding.code.phase is Phase.MODEL and subject.schema == SCHEMA_CHANNEL:
        return in_channel(subject.package, subject.name, finding.message)
    if subject.package:
        return (in_package(subject.package, finding.message),)
    return ((f"{finding.place}: {finding.message}" if finding.place.path else finding.message,),)
