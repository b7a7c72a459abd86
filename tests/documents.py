"""The `console` blocks of a document, run as commands: what is shown is what `olm` prints.

A block has one or more lines `$ olm …`, each followed by what is printed on both outputs; a line `…` stands for any
number of lines. Files that the examples name are made of other blocks of the document.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.olm_command import olm

__all__ = ["ROOT", "Document", "Example", "fits"]

ROOT = Path(__file__).parents[1]
_ANYTHING = "…"


@dataclass(frozen=True)
class Example:
    """A command line, and the lines that are said to follow it."""

    command: str
    shown: tuple[str, ...]

    def check(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Run it in `folder`, which holds what its relative paths lead to."""
        monkeypatch.chdir(folder)
        program, *arguments = shlex.split(self.command)
        said = olm(*arguments)
        lines = tuple(line.rstrip() for line in (said.out + said.err).splitlines())
        assert (program, fits(self.shown, lines) or lines) == ("olm", True)


class Document:
    """A page of `docs/`."""

    def __init__(self, name: str) -> None:
        self.text = (ROOT / "docs" / name).read_text(encoding="utf-8")

    def blocks(self, language: str) -> list[str]:
        """The content of the blocks of a language, in their order."""
        return re.findall(rf"^```{language}\n(.*?)^```$", self.text, re.DOTALL | re.MULTILINE)

    def commands(self) -> list[Example]:
        """Every command of the `console` blocks, in their order."""
        parts = [part for block in self.blocks("console") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
        lines = [part.rstrip("\n").split("\n") for part in parts]
        return [Example(command, tuple(shown)) for command, *shown in lines]

    def examples(self) -> list[Example]:
        """The commands that call `olm` alone, not through a pipe."""
        return [each for each in self.commands() if each.command.startswith("olm ") and " | " not in each.command]


def fits(shown: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Whether the lines that were said are those that are shown."""
    if not shown or not said:
        return shown in (said, (_ANYTHING,))
    if shown[0] == _ANYTHING:
        return fits(shown[1:], said) or fits(shown, said[1:])
    return shown[0] == said[0] and fits(shown[1:], said[1:])
