"""What an answer for people is made of, before it is known where it is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

__all__ = ["Block", "Cell", "Fields", "Line", "Table", "Tone", "apart", "cell_of", "cleaned"]


class Tone(Enum):
    """What a text means; terminals show it as a colour."""

    PLAIN = ""
    STRONG = "bold"
    FAINT = "dim"
    GOOD = "green"
    DOUBTFUL = "yellow"
    BAD = "red"


@dataclass(frozen=True, slots=True)
class Cell:
    """A text with a meaning."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class Line:
    """One paragraph; empty for a blank line. `indent` in columns."""

    text: str = ""
    tone: Tone = Tone.PLAIN
    indent: int = 0


@dataclass(frozen=True, slots=True)
class Fields:
    """Names with values, one below the other."""

    rows: Sequence[tuple[str, Cell | str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows below capital headings; columns that are empty in every row are left out."""

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]

    @property
    def filled(self) -> Table:
        """The table without its empty columns."""
        kept = [number for number in range(len(self.columns)) if any(cell_of(row[number]).text for row in self.rows)]
        return Table([self.columns[number] for number in kept], [[row[number] for number in kept] for row in self.rows])


def apart(parts: Iterable[Iterable[Block]]) -> Iterator[Block]:
    """The blocks of every part, with a blank line between two parts."""
    for number, part in enumerate(parts):
        if number:
            yield Line()
        yield from part


Block = Line | Fields | Table


def cell_of(cell: Cell | str) -> Cell:
    """A cell of either form as a cell whose text is safe to print."""
    found = Cell(cell) if isinstance(cell, str) else cell
    return Cell(cleaned(found.text), found.tone)


def cleaned(text: str) -> str:
    """`text` as one line without control characters: what a catalog says must not steer a terminal."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split(" ")).strip()
