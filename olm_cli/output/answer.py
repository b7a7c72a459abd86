"""Where printing happens: the answer on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable

from olm_cli.options import Format
from olm_cli.output.blocks import Block, cleaned
from olm_cli.output.plain import plain_lines
from olm_cli.problems import CannotTell

__all__ = ["answer", "answer_text", "fail", "say", "say_once"]

_SAID = set[str]()


def answer(form: Format, document: object, blocks: Iterable[Block]) -> None:
    """Print an answer: `document` as JSON or YAML, `blocks` for people. A reader that went away is no error.

    Raises:
        CannotTell: standard output takes nothing, such as a full disk.
    """
    try:
        match form:
            case Format.JSON:
                print(json.dumps(document, indent=2, ensure_ascii=False))
            case Format.YAML:
                from olmv1.yaml import dump_yaml  # noqa: PLC0415 - two parsers come with it

                print(dump_yaml(document), end="")
            case Format.TEXT:
                _print_text(blocks)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_the_reader()
    except OSError as error:
        raise _not_written(error) from error


def answer_text(parts: Iterable[str]) -> None:
    """Print an answer that has a form of its own (SVG, many YAML documents), every part at once.

    A reader that went away is no error; then no further part is asked for.

    Raises:
        CannotTell: standard output takes nothing, such as a full disk.
    """
    try:
        for part in parts:
            print(part, end="", flush=True)
    except BrokenPipeError:
        _forget_the_reader()
    except OSError as error:
        raise _not_written(error) from error


def _forget_the_reader() -> None:
    # The interpreter flushes once more at its end and would complain again.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _not_written(error: OSError) -> CannotTell:
    _forget_the_reader()
    return CannotTell(f"the answer cannot be written: {(error.strerror or str(error)).lower()}")


def say(text: str) -> None:
    """Something beside the answer, in one line."""
    print(cleaned(text), file=sys.stderr)


def say_once(text: str) -> None:
    """The same, unless this process has said it already: what holds for several images is told once."""
    if text not in _SAID:
        _SAID.add(text)
        say(text)


def fail(text: str) -> None:
    """Why there is no answer, in one line."""
    say(f"error: {text}")


def _print_text(blocks: Iterable[Block]) -> None:
    if sys.stdout.isatty():
        from olm_cli.output.terminal import draw  # noqa: PLC0415 - rich is slow to import, and pipes do not need it

        draw(blocks)
        return
    for line in plain_lines(blocks):
        print(line)
