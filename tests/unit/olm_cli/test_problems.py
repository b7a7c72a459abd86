from __future__ import annotations

import pytest

from olm_cli.problems import BadInput, CannotTell, ExitCode, NotThere, exit_code_of
from olmv1.errors import OlmError, RetryableError, TerminalError


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (NotThere("x"), ExitCode.NO),
        (BadInput("x"), ExitCode.BAD_INPUT),
        (TerminalError("x"), ExitCode.BAD_INPUT),
        (CannotTell("x"), ExitCode.CANNOT_TELL),
        (RetryableError("x"), ExitCode.CANNOT_TELL),
    ],
)
def test_exit_code_follows_the_class_of_the_error(error: OlmError, code: ExitCode) -> None:
    assert exit_code_of(error) is code
