"""Printing answers: JSON and YAML for programs, tables for people; colours and wrapping on a terminal only.

Commands build a `document` of plain values and `Block`s, and call `answer`. Texts of catalogs are cleaned here.
"""

from __future__ import annotations

from olm_cli.output.answer import answer, answer_text, fail, say, say_once
from olm_cli.output.blocks import Block, Cell, Fields, Line, Table, Tone, apart, cleaned

__all__ = [
    "Block",
    "Cell",
    "Fields",
    "Line",
    "Table",
    "Tone",
    "answer",
    "answer_text",
    "apart",
    "cleaned",
    "fail",
    "say",
    "say_once",
]
