"""Blocks as plain text: columns by blanks, nothing wrapped, nothing coloured; for pipes and files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from olm_cli.output.blocks import Block, Fields, Line, Table, cell_of, cleaned

__all__ = ["plain_lines"]

_GAP = "   "


def plain_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of an answer, without newlines at their ends."""
    for block in blocks:
        match block:
            case Line(text=text, indent=indent):
                yield (" " * indent + cleaned(text)).rstrip()
            case Fields(rows=rows):
                yield from _columns([[f"{name}:", cell_of(value).text] for name, value in rows])
            case Table() as table:
                filled = table.filled
                cells = [[cell_of(cell).text for cell in row] for row in filled.rows]
                yield from _columns([list(filled.columns), *cells])


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield _GAP.join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip()
