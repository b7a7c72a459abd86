"""The table in docs/metrics.md, and the expressions of alerts and dashboard that are made of its series."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import promql_parser
import yaml

__all__ = ["ROOT", "SIBLING", "Selector", "Series", "alerts", "dashboard", "documented", "grouped", "selectors"]

ROOT = Path(__file__).parents[1]
SIBLING = "_created"
"""The ending of the series that every counter and histogram has beside it."""

_FILES = ROOT / "charts" / "olmv1" / "files"
_ROW = re.compile(
    r"^\| `(\w+)` \| (gauge|counter|histogram) \|([^|]*)\| ([a-z-]+)(?:, with `--([a-z-]+)`)? \| ", re.MULTILINE
)
_COMPONENTS = ("catalogd", "operator-controller")


@dataclass(frozen=True)
class Series:
    """A row of the table: `where` names the components that expose it, all of them only with the flag `needs`."""

    name: str
    type: str
    labels: frozenset[str]
    where: tuple[str, ...]
    needs: str = ""

    @property
    def samples(self) -> tuple[str, ...]:
        """The names under which it is asked for."""
        endings = ("_bucket", "_sum", "_count") if self.type == "histogram" else ("",)
        return tuple(f"{self.name}{ending}" for ending in endings)


@dataclass(frozen=True)
class Selector:
    """What an expression asks for: a series, and the labels that it chooses by."""

    name: str
    labels: frozenset[str]


def documented() -> Mapping[str, Series]:
    """The series of the table by name."""
    text = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    return {
        name: Series(
            name, type_, frozenset(re.findall(r"`(\w+)`", labels)), _COMPONENTS if where == "both" else (where,), needs
        )
        for name, type_, labels, where, needs in _ROW.findall(text)
    }


def alerts() -> list[dict[str, Any]]:
    """The rules of every group."""
    document = yaml.safe_load((_FILES / "prometheus-rules.yaml").read_text(encoding="utf-8"))
    return [rule for group in document["groups"] for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    """The dashboard of Grafana."""
    document: dict[str, Any] = json.loads((_FILES / "dashboard.json").read_text(encoding="utf-8"))
    return document


def selectors(expression: str) -> list[Selector]:
    """The selectors of a PromQL expression; ValueError when it is none."""
    nodes = [each for each in _nodes(expression) if isinstance(each, promql_parser.VectorSelector)]
    return [Selector(str(each.name), frozenset(matcher.name for matcher in each.matchers.matchers)) for each in nodes]


def grouped(expression: str) -> frozenset[str]:
    """The labels that its aggregations keep."""
    found = [each.modifier for each in _nodes(expression) if isinstance(each, promql_parser.AggregateExpr)]
    return frozenset(label for modifier in found if modifier is not None for label in modifier.labels)


def _nodes(expression: str) -> Iterator[promql_parser.Expr]:
    seen: list[promql_parser.Expr] = []
    promql_parser.walk(promql_parser.parse(expression), seen.append)
    yield from seen
