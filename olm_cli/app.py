"""The command line as typer sees it: commands, help, and one line for whatever goes wrong."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from olm_cli.command import Command, flattened
from olm_cli.commands import COMMANDS, GROUPS
from olm_cli.output import fail
from olm_cli.problems import ExitCode, exit_code_of
from olmv1.errors import OlmError

__all__ = ["call"]

_HELP = """Asks OLM v1: what catalogs hold, which bundle an extension gets and why, how extensions are.

Every command answers with the engine of the controller, from the cluster's catalogs or from any others
(--catalog), and prints a table, JSON or YAML (-o).

\b
Exit codes:
  0  yes, done
  1  no, blocked
  2  wrong usage, bad input
  3  cannot tell"""


def call(arguments: Sequence[str], program: str) -> int:
    """The exit code of a command line."""
    try:
        # Typer gives back what the command returned, or the code of an early end such as --help.
        code = _app()(args=list(arguments), prog_name=program, standalone_mode=False)
        return int(code or ExitCode.YES)
    except typer.TyperException as error:
        _explain_usage(error, program)
        return ExitCode.BAD_INPUT
    except OlmError as error:
        fail(str(error))
        return exit_code_of(error)
    except typer.Abort:
        return 130


def _app() -> typer.Typer:
    app = _typer(_HELP)
    app.callback()(_main)
    groups = {name: _typer(text) for name, text in GROUPS.items()}
    for command in COMMANDS:
        place = groups[command.group] if command.group else app
        run = flattened(command.run)
        place.command(
            command.name,
            help=_unwrapped(command.run.__doc__ or ""),
            short_help=command.summary,
            epilog=_examples(command),
        )(run)
    for name, group in groups.items():
        app.add_typer(group, name=name)
    return app


def _typer(text: str) -> typer.Typer:
    return typer.Typer(
        help=_unwrapped(text),
        no_args_is_help=True,
        add_completion=False,
        # Boxes and colours are for eyes; without them help needs no rich and is twice as fast.
        rich_markup_mode="rich" if sys.stdout.isatty() else None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def _unwrapped(text: str) -> str:
    """Every paragraph as one line, because help is wrapped to the width of the terminal; but lists as they are."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    return "\n\n".join(each if each.startswith("\b") else " ".join(each.split("\n")) for each in paragraphs)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - slow, and needed by nobody else

    try:
        return version("olmv1")
    except PackageNotFoundError:
        return "from a source tree that is not installed"


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"olm {_version()}")
        raise typer.Exit


def _main(
    version: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version and end.")
    ] = False,
) -> None:
    pass


def _examples(command: Command) -> str:
    lines = [f"  {line}\n      {what}" for line, what in command.examples.items()]
    return "\b\nExamples:\n" + "\n".join(lines)


def _explain_usage(error: typer.TyperException, program: str) -> None:
    """Print `error: no such option: --foo (see olm resolve --help)`, or the help of a group without a command."""
    text = error.format_message()
    if not text or text.startswith("Usage:"):
        print(text, file=sys.stderr)
        return
    context: typer.Context | None = getattr(error, "ctx", None)
    asked = context.command_path if context else program
    text = text.replace("Value error, ", "").replace(". Did", "; did").rstrip(".")
    text = re.sub(
        r" \(Possible options: (.*)\)$", lambda found: f"; did you mean {found[1].replace(', ', ' or ')}?", text
    )
    fail(f"{text[:1].lower()}{text[1:]} (see {asked} --help)")
