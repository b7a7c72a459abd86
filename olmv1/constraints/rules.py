"""Rules in CEL over the properties of one bundle. Rule: dependencies.md 4, decision 13.

Owns the environment: the variable `properties`, the standard library and `semver_compare`; nothing of the cluster.
`Rules` is the port through which the evaluation asks; `LIBRARY` answers in this process.

Limits of the library (cel-expr-python 0.1): 32 levels of expressions, 100,000 characters, 10,000 steps of loops in all,
regular expressions in linear time. What it does not limit: memory and time of values that a rule builds out of
themselves, and it keeps the interpreter's lock. So rules of strangers are decided in a process of their own: see
`olmv1.rules`.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from olmv1.constraints.facts import visible
from olmv1.constraints.property import Property
from olmv1.constraints.versions import compared

__all__ = [
    "LIBRARY",
    "MISSING_LIBRARY",
    "Rules",
    "Ruling",
    "cel_library",
    "plain_text",
    "ruling_of",
    "shown_to_rules",
]

MISSING_LIBRARY: Final = (
    "cannot be evaluated: rules in CEL need the package cel-expr-python, "
    'install it with pip install "olmv1[constraints]"'
)

_MAX_RULE: Final = 16_384
_LONGEST_ERROR: Final = 1_000
"""A rule can put values of any size into an error, and errors are kept and shown."""
_FRAME = re.compile(r"^[A-Z_]+: (?!<input>)|(?: \[[A-Z_]+\])$")
_NO_KEY = re.compile(r'^Key not found in map : "(.*)"$')
_CLUSTER = re.compile(r"undeclared reference to 'cluster(?:\.[^']*)?'")
_NO_CLUSTER: Final = (
    'rules see "properties" only, there is no "cluster": to require a version of Kubernetes, use the property '
    "olm.kubeversion"
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What became of a rule: `invalid` when it is no rule, `unavailable` when nothing could decide it; else empty.

    `holds` and `errors` have one entry per bundle, in order; where the evaluation failed, the rule does not hold and
    the error is not empty.
    """

    invalid: str = ""
    unavailable: str = ""
    holds: tuple[bool, ...] = ()
    errors: tuple[str, ...] = ()


class Rules(Protocol):
    """Something that decides rules."""

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:
        """Whether the rule holds, for each bundle by itself; never raises."""
        ...


class _Library:
    """Decides in this process."""

    def decide(self, rule: str, bundles: Sequence[tuple[Property, ...]]) -> Ruling:
        """Whether the rule holds, for each bundle by itself; never raises."""
        shown = ([each._asdict() for each in shown_to_rules(properties)] for properties in bundles)
        return ruling_of(rule, _environment, [{"properties": properties} for properties in shown])


LIBRARY: Final[Rules] = _Library()


def ruling_of(rule: str, environment: Callable[[], Any], variables: Sequence[Mapping[str, object]]) -> Ruling:
    """The rule compiled in `environment` (`None` without the library) and evaluated once for each of `variables`."""
    if len(rule) > _MAX_RULE:
        return Ruling(invalid=f"a rule has at most {_MAX_RULE} characters, this one has {len(rule)}")
    made = environment()
    if made is None:
        return Ruling(unavailable=MISSING_LIBRARY)
    try:
        compiled = made.compile(plain_text(rule))
    except RuntimeError as error:
        return Ruling(invalid=_compile_error(str(error)))
    if compiled.return_type().name() != "BOOL":
        return Ruling(invalid="cel expressions must have type Bool")
    answers = [_evaluated(compiled, values) for values in variables]
    return Ruling(holds=tuple(answer is True for answer in answers), errors=tuple(map(_error_of, answers)))


def cel_library() -> Any:
    """The module of the library, or `None`: it is an extra, everything else works without it."""
    try:
        return importlib.import_module("cel_expr_python.cel")
    except ImportError:
        return None


@functools.cache
def _environment() -> Any:
    cel = cel_library()
    if cel is None:
        return None
    overload = cel.Overload(
        "semver_compare", return_type=cel.Type.INT, parameters=[cel.Type.DYN, cel.Type.DYN], impl=compared
    )
    extension = cel.CelExtension("olm", [cel.FunctionDecl("semver_compare", [overload])])
    properties = cel.Type.List(cel.Type.Map(cel.Type.STRING, cel.Type.DYN))
    return cel.NewEnv(variables={"properties": properties}, extensions=[extension])


def _evaluated(compiled: Any, values: Mapping[str, object]) -> bool | str:
    """Whether the rule is true, or why it cannot be told."""
    try:
        answer = compiled.eval(data=values).value()
    except (RuntimeError, MemoryError) as error:
        answer = str(error)
    return answer if isinstance(answer, bool) else _cut(_NO_KEY.sub(r"no such key: \1", _first_line(str(answer))))


def _error_of(answer: bool | str) -> str:
    return answer if isinstance(answer, str) else ""


def _compile_error(text: str) -> str:
    if _CLUSTER.search(text):
        return _NO_CLUSTER
    return _cut(_first_line(text))


def _first_line(text: str) -> str:
    """Without the status code of the library, which stands before and behind."""
    return _FRAME.sub("", text).partition("\n")[0]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_ERROR else f"{text[: _LONGEST_ERROR - 1]}…"


def shown_to_rules(properties: Sequence[Property]) -> tuple[Property, ...]:
    """The properties as rules see them: numbers are doubles as in JSON, text has no halves of characters."""
    return tuple(Property(plain_text(each.type), _plain(each.value)) for each in visible(properties))


def plain_text(text: str) -> str:
    """`text` as UTF-8 can carry it: what stands for half a character becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def _plain(value: object) -> object:
    match value:
        case bool() | None | float():
            return value
        case int():
            return float(value) if abs(value) < 2**1023 else float("inf")
        case str():
            return plain_text(value)
        case dict():
            return {plain_text(str(key)): _plain(member) for key, member in value.items()}
        case list() | tuple():
            return [_plain(member) for member in value]
    return None
