"""Blocks on a terminal, drawn by rich: colours, and cells that wrap instead of running over the edge."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from olm_cli.output.blocks import Block, Cell, Fields, Line, Table, cell_of, cleaned

__all__ = ["draw"]

_GAP = 3
_NARROWEST = 8


def draw(blocks: Iterable[Block]) -> None:
    """Print an answer on the terminal that standard output is."""
    console = Console(highlight=False)
    for block in blocks:
        match block:
            case Line(text=""):
                console.print()  # a padded nothing would take no line at all
            case Line(text=text, tone=tone, indent=indent):
                console.print(Padding(Text(cleaned(text), tone.value), (0, 0, 0, indent), expand=False))
            case Fields(rows=rows):
                console.print(_fields(rows))
            case Table() as table:
                console.print(_table(table.filled, console.width))


def _fields(rows: Iterable[tuple[str, Cell | str]]) -> RichTable:
    grid = RichTable.grid(padding=(0, 3, 0, 0))
    for name, value in rows:
        grid.add_row(Text(f"{name}:", "dim"), _text(value))
    return grid


def _table(table: Table, width: int) -> RichTable:
    drawn = RichTable(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
    room = width - _GAP * (len(table.columns) - 1)
    for name, columns in zip(table.columns, _widths(table, room), strict=True):
        drawn.add_column(name, overflow="fold", width=columns)
    for row in table.rows:
        drawn.add_row(*map(_text, row))
    return drawn


def _widths(table: Table, room: int) -> list[int]:
    """The width of each column: whole words before whole cells, from the left, where names are that people copy."""
    cells = [[name, *(cell_of(row[number]).text for row in table.rows)] for number, name in enumerate(table.columns)]
    longest = [max(map(cell_len, texts)) for texts in cells]
    words = [max(cell_len(word) for text in texts for word in (text.split() or [""])) for texts in cells]
    least = [min(_NARROWEST, width) for width in longest]
    headed = [max(width, *map(cell_len, name.split())) for width, name in zip(least, table.columns, strict=True)]
    widths = headed if sum(headed) <= room else least
    for goal in (words, longest):
        for number, wanted in enumerate(goal):
            left = max(room - sum(widths), 0)
            widths[number] += min(left, max(wanted - widths[number], 0))
    return widths


def _text(cell: Cell | str) -> Text:
    found = cell_of(cell)
    return Text(found.text, found.tone.value)
