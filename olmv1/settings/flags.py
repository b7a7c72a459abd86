"""Command lines in Go's spelling: `--flag=value`, `--flag value`, `-flag=value`, `-v=4`, booleans without value.

Pure: argument list in, texts per flag out. The values themselves are parsed by the settings model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Flag", "UsageError", "read_flags"]


class UsageError(ValueError):
    """The command line cannot be understood; `str(error)` says why."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag: a boolean one may stand without value, a repeatable one keeps all values."""

    name: str
    help: str = ""
    default: str = ""
    is_bool: bool = False
    is_repeatable: bool = False


def read_flags(arguments: Sequence[str], flags: Iterable[Flag]) -> Mapping[str, list[str]]:
    """The texts given for each flag, in order of appearance; flags that were not given are absent.

    Raises:
        UsageError: a flag is unknown or has no value, or there is an argument that is no flag.
    """
    known = {flag.name: flag for flag in flags}
    given: dict[str, list[str]] = {}
    rest = list(arguments)
    while rest:
        argument = rest.pop(0)
        if not argument.startswith("-") or argument.strip("-") == "":
            raise UsageError(f'unexpected argument "{argument}": expected a flag')
        name, has_value, value = argument.lstrip("-").partition("=")
        flag = known.get(name)
        if flag is None:
            raise UsageError(f"unknown flag: --{name}")
        if not has_value:
            value = _value_after(flag, rest)
        if flag.is_repeatable:
            given.setdefault(name, []).append(value)
        else:
            given[name] = [value]
    return given


def _value_after(flag: Flag, rest: list[str]) -> str:
    if flag.is_bool:
        return "true"
    if not rest:
        raise UsageError(f"flag needs an argument: --{flag.name}")
    return rest.pop(0)
