from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from typing import Annotated

from olm_cli.command import flattened
from olm_cli.problems import ExitCode


@dataclass(frozen=True, slots=True)
class Pair:
    left: Annotated[str, "a note"] = "l"
    many: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Needed:
    name: str


SEEN: list[object] = []


def run(first: int, *, pair: Pair, needed: Needed) -> ExitCode:
    """What it does."""
    SEEN.append((first, pair, needed))
    return ExitCode.NO


def test_flattened_has_a_parameter_for_every_field() -> None:
    parameters = inspect.signature(flattened(run)).parameters
    found = {name: (each.annotation, each.default) for name, each in parameters.items()}
    assert found == {
        "first": (int, inspect.Parameter.empty),
        "left": (Annotated[str, "a note"], "l"),
        "many": (list[str], []),
        "name": (str, inspect.Parameter.empty),
    }


def test_flattened_gives_the_command_its_values() -> None:
    assert flattened(run)(first=1, left="x", many=["a"], name="n") is ExitCode.NO
    assert SEEN.pop() == (1, Pair("x", ["a"]), Needed("n"))


def test_flattened_keeps_the_help() -> None:
    assert flattened(run).__doc__ == "What it does."
