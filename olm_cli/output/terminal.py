"""Blocks on a terminal, drawn by rich: colours, and cells that wrap instead of running over the edge."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from olm_cli.output.blocks import Block, Cell, Fields, Line, Table, cell_of, cleaned

__all__ = ["draw"]


def draw(blocks: Iterable[Block]) -> None:
    """Print an answer on the terminal that standard output is."""
    console = Console(highlight=False)
    for block in blocks:
        match block:
            case Line(text=text, tone=tone, indent=indent):
                console.print(Padding(Text(cleaned(text), tone.value), (0, 0, 0, indent), expand=False))
            case Fields(rows=rows):
                console.print(_fields(rows))
            case Table() as table:
                console.print(_table(table.filled))


def _fields(rows: Iterable[tuple[str, Cell | str]]) -> RichTable:
    grid = RichTable.grid(padding=(0, 3, 0, 0))
    for name, value in rows:
        grid.add_row(Text(f"{name}:", "dim"), _text(value))
    return grid


def _table(table: Table) -> RichTable:
    drawn = RichTable(box=None, pad_edge=False, padding=(0, 3, 0, 0), header_style="bold")
    for name in table.columns:
        drawn.add_column(name, overflow="fold")
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    return drawn


def _text(cell: Cell | str) -> Text:
    found = cell_of(cell)
    return Text(found.text, found.tone.value)
