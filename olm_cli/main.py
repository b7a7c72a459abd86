"""Where the process begins: says how to get the extra `cli` when it is missing, else hands over to `app`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from io import TextIOWrapper
from pathlib import PurePath

__all__ = ["main", "program_name", "run"]

_EXTRA = ("typer", "rich")
_CANNOT_TELL = 3


def main() -> None:
    """Run the command line of this process and end it with the exit code of the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without some sign still shows the rest
    try:
        code = run(sys.argv[1:], program_name(sys.argv[0]))
    except Exception:  # the last frame of the process: the exit code of Python, 1, would be read as a no
        sys.excepthook(*sys.exc_info())
        code = _CANNOT_TELL
    sys.exit(code)


def run(arguments: Sequence[str], program: str = "olm") -> int:
    """The exit code of a command line; everything it says is printed. `program` is what help texts call it."""
    missing = [name for name in _EXTRA if find_spec(name) is None]
    if missing:
        text = f"error: {program} needs {' and '.join(missing)}, not installed: run pip install 'olmv1[cli]'"
        print(text, file=sys.stderr)
        return 2
    from olm_cli.app import call  # noqa: PLC0415 - an optional extra stands behind it

    return call(arguments, program)


def program_name(path: str) -> str:
    """How the user called us: `kubectl olm` for the plugin `kubectl-olm`, else `olm`."""
    return "kubectl olm" if PurePath(path).stem.replace("_", "-") == "kubectl-olm" else "olm"
