"""The documents show what the commands print: every `console` block of docs/commands.md is run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.olm_command import olm

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "commands.md").read_text()


def examples() -> list[tuple[str, list[str]]]:
    """Every command line with the lines that are said to follow."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


def fits(shown: list[str], said: list[str]) -> bool:
    """Whether the lines are the same; a line `…` stands for any number of lines."""
    if not shown or not said:
        return shown in (said, ["…"])
    if shown[0] == "…":
        return fits(shown[1:], said) or fits(shown, said[1:])
    return shown[0] == said[0] and fits(shown[1:], said[1:])


@pytest.mark.parametrize(("command", "shown"), examples(), ids=lambda value: value if isinstance(value, str) else "")
def test_documented_command_prints_what_is_shown(
    command: str, shown: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    program, *arguments = shlex.split(command)
    said = olm(*arguments)
    lines = [line.rstrip() for line in (said.out + said.err).splitlines()]
    while shown and not shown[-1]:
        shown.pop()
    assert (program, fits(shown, lines) or lines) == ("olm", True)
