from __future__ import annotations

import pytest

from olm_cli.output import say_once


def test_what_was_said_once_is_not_said_again(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("warning: of this test", "warning: of this test", "warning: another one of this test"):
        say_once(text)
    assert capsys.readouterr().err == "warning: of this test\nwarning: another one of this test\n"
