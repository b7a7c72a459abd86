"""What a user sees on a terminal."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout

import pytest

from olm_cli.main import run
from tests.olm_command import LIGHTS


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)


def on_terminal(*arguments: str) -> str:
    screen = Screen()
    with redirect_stdout(screen):
        run(arguments)
    return screen.getvalue()


def without_colours(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_table_on_a_terminal_has_colours_that_mean_something() -> None:
    shown = on_terminal("catalog", "versions", "lantern-operator", "--catalog", LIGHTS)
    assert "\x1b[1mlantern-operator in catalog lights-2\x1b[0m\n" in shown
    assert "\x1b[33mskipped" in shown


def test_table_wraps_inside_its_cells_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    shown = on_terminal("catalog", "versions", "lantern-operator", "--catalog", LIGHTS)
    assert max(len(line) for line in without_colours(shown).splitlines()) <= 60


def test_table_keeps_names_whole_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "76")
    shown = without_colours(on_terminal("catalog", "versions", "lantern-operator", "--catalog", LIGHTS))
    assert [line.split()[-1] for line in shown.splitlines() if "1.1.0  " in line][-1] == "skipped"
    assert shown.count("lantern-operator.v1.1.0") == 1


def test_blank_lines_are_lines_on_a_terminal() -> None:
    shown = without_colours(on_terminal("catalog", "versions", "lantern-operator", "--catalog", LIGHTS))
    assert shown.startswith("lantern-operator in catalog lights-2\n\nVERSION")


def test_fields_are_drawn_on_a_terminal() -> None:
    shown = on_terminal("resolve", "-p", "lantern-operator", "--version", "1.2.0", "--catalog", LIGHTS)
    assert "\nversion:   1.2.0" in without_colours(shown)


def test_no_color_is_honoured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    shown = on_terminal("catalog", "show", "--catalog", LIGHTS)
    assert "\x1b[3" not in shown
    assert "lantern-operator" in shown


def test_help_on_a_terminal_keeps_the_lines_of_examples() -> None:
    assert re.search(
        r"\n +olm status *\n +every extension of the cluster", without_colours(on_terminal("status", "--help"))
    )
