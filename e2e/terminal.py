"""A story on a terminal: coloured where it is one, plain text where it is piped."""

from __future__ import annotations

import os
from typing import TextIO

__all__ = ["Terminal"]

_BOLD, _DIM, _RED, _GREEN, _CYAN, _YELLOW = "1", "2", "31", "32", "36", "33"


class Terminal:
    """Writes to one stream; `NO_COLOR` in the environment switches colours off."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._has_colours = stream.isatty() and not os.environ.get("NO_COLOR")

    def title(self, text: str) -> None:
        """The first line."""
        self._line(self._paint(text, _BOLD))

    def chapter(self, number: int, text: str) -> None:
        """The headline of a chapter."""
        self._line()
        self._line(self._paint(f"{number}  {text}", _BOLD, _CYAN))

    def say(self, text: str) -> None:
        """A sentence of the storyteller."""
        self._line(f"   {text}")

    def command(self, text: str) -> None:
        """What a person would type."""
        self._line(f"   {self._paint('$', _DIM)} {self._paint(text, _YELLOW)}")

    def output(self, text: str) -> None:
        """What a command printed."""
        for line in text.rstrip().splitlines():
            self._line(f"     {line}")

    def good(self, text: str) -> None:
        """Something that was checked."""
        self._line(f"   {self._paint('✔', _GREEN)} {text}")

    def bad(self, text: str) -> None:
        """The end of a story that did not go as told."""
        self._line()
        self._line(self._paint(f"✘ {text}", _BOLD, _RED))

    def end(self, text: str) -> None:
        """The last line."""
        self._line()
        self._line(self._paint(text, _BOLD, _GREEN))

    def _line(self, text: str = "") -> None:
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def _paint(self, text: str, *codes: str) -> str:
        return f"\033[{';'.join(codes)}m{text}\033[0m" if self._has_colours else text
