"""Exit codes, and the errors that end a command with one of them. Rule: architecture section 5."""

from __future__ import annotations

from enum import IntEnum

from olmv1.errors import OlmError, RetryableError, TerminalError

__all__ = ["BadInput", "CannotTell", "ExitCode", "NoCluster", "NotThere", "Refused", "exit_code_of"]


class ExitCode(IntEnum):
    """What a script learns from a command."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    CANNOT_TELL = 3


class BadInput(TerminalError):  # noqa: N818 - named for what it tells the user
    """The command line, or a file that it names, is wrong."""


class NoCluster(BadInput):
    """No cluster is named, or what names it cannot be used."""


class NotThere(TerminalError):  # noqa: N818
    """What was asked for does not exist, and every place that could have it was asked."""


class Refused(TerminalError):  # noqa: N818
    """The cluster does not let this user do it, or does not admit it; nothing was changed."""


class CannotTell(RetryableError):  # noqa: N818
    """Something that the answer depends on cannot be reached or read now."""


def exit_code_of(error: OlmError) -> ExitCode:
    """The exit code of a command that `error` ended: what waiting cannot heal is the input's fault."""
    match error:
        case NotThere() | Refused():
            return ExitCode.NO
        case TerminalError():
            return ExitCode.BAD_INPUT
        case _:
            return ExitCode.CANNOT_TELL
