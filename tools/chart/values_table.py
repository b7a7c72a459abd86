"""The table of values in the README of the chart, made of `values.yaml` and its comments. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import yaml

__all__ = ["Row", "rows_of", "with_table"]

_BEGIN, _END = "<!-- values: written by make manifests -->", "<!-- end of values -->"


@dataclass(frozen=True, slots=True)
class Row:
    """A value: its path with dots, its default as JSON, and what the comment above it says."""

    path: str
    default: str
    text: str


def rows_of(values: str) -> tuple[Row, ...]:
    """The values of a `values.yaml`, in order.

    A key with a comment right above it is a row; one without leads to the keys below it.
    Raises:
        ValueError: a value has neither a comment nor keys below it.
    """
    root = yaml.compose(values, Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        raise ValueError("expected a mapping of values")
    return tuple(_rows(root, "", values.splitlines()))


def with_table(readme: str, rows: Sequence[Row]) -> str:
    """A README with the table between its two markers.

    Raises:
        ValueError: the markers are missing.
    """
    before, begin, rest = readme.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not (begin and end):
        raise ValueError(f"expected a README with {_BEGIN} and {_END}")
    lines = [f"| `{row.path}` | `{row.default}` | {row.text} |" for row in rows]
    table = "\n".join(["| value | default | |", "| --- | --- | --- |", *lines])
    return f"{before}{begin}\n{table}\n{end}{after}"


def _rows(node: yaml.MappingNode, prefix: str, lines: Sequence[str]) -> Iterator[Row]:
    for key, value in node.value:
        path = f"{prefix}{key.value}"
        text = _comment(lines, key.start_mark.line)
        if text:
            yield Row(path, _default(value), text)
        elif isinstance(value, yaml.MappingNode) and value.value:
            yield from _rows(value, f"{path}.", lines)
        else:
            raise ValueError(f"value {path} has no comment that says what it is")


def _default(node: yaml.Node) -> str:
    value = yaml.safe_load(yaml.serialize(node))
    return json.dumps(value)


def _comment(lines: Sequence[str], line: int) -> str:
    """The block of comments that ends right above a line, as one text; one set off by an empty line counts not."""
    found: list[str] = []
    while line > 0 and lines[line - 1].lstrip().startswith("#"):
        line -= 1
        found.insert(0, lines[line].lstrip().lstrip("#").strip())
    return " ".join(found).replace("|", "\\|")
