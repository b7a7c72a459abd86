from __future__ import annotations

import io
import threading

import pytest

from olm_cli import progress
from olm_cli.progress import working


class Terminal(io.StringIO):
    """A terminal that tells when something was written."""

    def __init__(self, *, is_terminal: bool) -> None:
        super().__init__()
        self.was_written = threading.Event()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def flush(self) -> None:
        self.was_written.set()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_QUIET_S", 0.01)
    monkeypatch.setattr(progress, "_PLAIN_QUIET_S", 0.01)


def test_terminal_shows_work_while_it_lasts(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    with working("pulling it"):
        assert screen.was_written.wait(10)
    assert screen.getvalue().startswith("\r\x1b[2K⠋ pulling it (0 s)")
    assert screen.getvalue().endswith("\r\x1b[2K")


def test_log_gets_one_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Terminal(is_terminal=False)
    monkeypatch.setattr("sys.stderr", log)
    with working("pulling it"):
        assert log.was_written.wait(10)
    assert log.getvalue() == "pulling it …\n"


def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PLAIN_QUIET_S", 60)
    log = Terminal(is_terminal=False)
    monkeypatch.setattr("sys.stderr", log)
    with working("pulling it"):
        pass
    assert log.getvalue() == ""


def test_work_that_tells_how_far_it_is_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal(is_terminal=True)
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "_FRAME_S", 0.001)
    done = 0
    with working(lambda: f"asked {done} of 9"):
        for done in range(3):  # noqa: B007 - the text reads it
            screen.was_written.clear()
            assert screen.was_written.wait(10)
    assert "asked 0 of 9" in screen.getvalue()
    assert "asked 2 of 9" in screen.getvalue()
