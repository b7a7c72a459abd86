"""What a command is, and how its groups of options become flags.

A command takes values (`catalogs: CatalogOptions`), typer wants one parameter for each flag: `flattened` is between.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from olm_cli.problems import ExitCode

__all__ = ["Command", "flattened"]


@dataclass(frozen=True, slots=True)
class Command:
    """One command: `run`'s docstring is its help, `examples` (command line → what it does) teach it.

    `summary` is its line in the list of commands, at most 60 characters, so that it is not cut. `group` is the word
    before its name: `catalog` for `olm catalog show`, empty for `olm resolve`.
    """

    name: str
    run: Callable[..., ExitCode]
    summary: str
    examples: Mapping[str, str]
    group: str = ""


def flattened(run: Callable[..., ExitCode]) -> Callable[..., ExitCode]:
    """`run` with the fields of its dataclass parameters as parameters of their own."""
    hints = _hints(run).items()
    groups = {name: hint for name, hint in hints if isinstance(hint, type) and is_dataclass(hint)}

    def call(**given: Any) -> ExitCode:
        arguments = {
            name: group(**{field.name: given.pop(field.name) for field in fields(group)})
            for name, group in groups.items()
        }
        return run(**arguments, **given)

    call.__name__, call.__doc__ = run.__name__, run.__doc__
    call.__signature__ = inspect.Signature(list(_parameters(run)))  # type: ignore[attr-defined]
    call.__annotations__ = {}
    return call


def _parameters(run: Callable[..., ExitCode]) -> Iterator[inspect.Parameter]:
    hints = _hints(run)
    for name, parameter in inspect.signature(run).parameters.items():
        hint = hints[name]
        if not is_dataclass(hint):
            yield parameter.replace(annotation=hint, kind=inspect.Parameter.KEYWORD_ONLY)
            continue
        own = _hints(hint)
        for field in fields(hint):
            yield inspect.Parameter(
                field.name, inspect.Parameter.KEYWORD_ONLY, annotation=own[field.name], default=_default(field)
            )


def _hints(subject: Any) -> dict[str, Any]:
    return get_type_hints(subject, include_extras=True)


def _default(field: Field[Any]) -> Any:
    if field.default_factory is not MISSING:
        return field.default_factory()
    return inspect.Parameter.empty if field.default is MISSING else field.default
