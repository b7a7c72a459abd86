"""From the errors of the schema validator to the lines that a user reads.

In the reference's wording a finding deep in `deploymentConfig` is only `validation failed`; ours adds path and reason,
and names every unknown field. Rule: bundle-rendering.md 7.2, 15 row 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from jsonschema_rs import ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from operator_controller.bundle.json_values import json_kind
from operator_controller.renderer.configuration.advice import ADVICE, SEVERAL_NAMESPACES
from operator_controller.renderer.configuration.schema import DEPLOYMENT_CONFIG, OWN_FORMAT, WATCH_NAMESPACE

__all__ = ["Wording", "lines_of"]

_Path = tuple[str | int, ...]

_FAILED = "validation failed"
# From which depth on a member of `deploymentConfig` is described by a Kubernetes type.
_TYPED_DEPTH = {
    "resources": 2,
    "affinity": 2,
    "tolerations": 3,
    "env": 3,
    "envFrom": 3,
    "volumes": 3,
    "volumeMounts": 3,
}
_HIDDEN_BY_FORMAT = (Kind.MinLength, Kind.MaxLength, Kind.Pattern)


@dataclass(frozen=True, slots=True)
class Wording:
    """How findings are put: for which install namespace, and whether exactly as the reference puts them."""

    install_namespace: str
    as_reference: bool = False


@dataclass(frozen=True, slots=True)
class _Finding:
    """Lines about one place; `rank` orders missing members before and unknown ones after everything else."""

    path: _Path
    rank: int
    lines: tuple[str, ...]

    @property
    def order(self) -> tuple[tuple[int, int, str], ...]:
        """Where the finding stands among all: members by name or index, between missing and unknown ones."""
        parts = ((1, part, "") if isinstance(part, int) else (1, 0, part) for part in self.path)
        return (*parts, (self.rank, 0, ""), (0, 0, self.lines[0]))


def lines_of(errors: Iterable[ValidationError], wording: Wording) -> list[str]:
    """The findings in a stable order, each as one line (an `anyOf` as several)."""
    findings = {finding for error in _visible(errors) for finding in _findings_of(error, wording)}
    return _grouped(sorted(findings, key=lambda finding: finding.order), 0, wording)


def _visible(errors: Iterable[ValidationError]) -> list[ValidationError]:
    """The errors without those that the reference does not reach: a wrong format hides length and pattern."""
    found = list(errors)
    formatted = {_path(error) for error in found if isinstance(error.kind, Kind.Format)}
    return [each for each in found if _path(each) not in formatted or not isinstance(each.kind, _HIDDEN_BY_FORMAT)]


def _grouped(findings: Sequence[_Finding], depth: int, wording: Wording) -> list[str]:
    """The lines; the reference announces several findings inside one value with a line of its own."""
    lines: list[str] = []
    causes = 0
    for key, members in groupby(findings, key=lambda each: each.path[depth : depth + 1]):
        group = list(members)
        lines += _grouped(group, depth + 1, wording) if key else [line for each in group for line in each.lines]
        causes += 1 if key else len(group)
    is_list = any(isinstance(each.path[depth], int) for each in findings if len(each.path) > depth)
    is_announced = wording.as_reference and depth > 0 and causes > 1 and not is_list
    return [_FAILED, *lines] if is_announced else lines


def _findings_of(error: ValidationError, wording: Wording) -> Iterator[_Finding]:
    path = _path(error)
    typed_depth = _TYPED_DEPTH.get(str(path[1]), len(path) + 1) if len(path) > 1 else len(path) + 1
    is_typed = path[:1] == (DEPLOYMENT_CONFIG,) and len(path) >= typed_depth
    if is_typed and wording.as_reference:
        yield _Finding(path[:typed_depth], 1, (_FAILED,))
    elif is_typed:
        yield _Finding(path, 1, (f"{_FAILED}: {_reason(error)}",))
    elif isinstance(error.kind, Kind.Required):
        field = _dotted((*path, error.kind.property))
        yield _Finding(path, 0, (f'required field "{field}" is missing',))
    elif isinstance(error.kind, Kind.AdditionalProperties):
        names = sorted(error.kind.unexpected)
        for name in names[:1] if wording.as_reference else names:
            remark = "" if wording.as_reference else _remark_on((*path, name))
            yield _Finding(path, 2, (f'unknown field "{name}"{remark}',))
    else:
        yield _Finding(path, 1, tuple(_value_lines(error, wording)))


def _remark_on(path: _Path) -> str:
    """What to do instead of an unknown field, or where a nested one is. Rule: decision 16."""
    if len(path) > 1:
        return f" (at {_dotted(path)})"
    return f": {ADVICE[str(path[0])]}" if path[0] in ADVICE else ""


def _value_lines(error: ValidationError, wording: Wording) -> Iterator[str]:
    """The lines about one value that is there and wrong."""
    field, length = _dotted(_path(error)), len(str(error.instance))
    match error.kind:
        case Kind.Type():
            yield _type_line(error, field, wording)
        case Kind.Format():
            yield f'invalid format for field "{field}": {_format_text(error, wording.install_namespace)}'
        case Kind.MinLength():
            yield f'field "{field}" must have minimum length of {error.kind.limit} (len={length})'
        case Kind.MaxLength():
            yield f'field "{field}" must have maximum length of {error.kind.limit} (len={length})'
        case Kind.Pattern():
            yield f'field "{field}" must match pattern "{error.kind.pattern}"'
        case kind:
            yield f'invalid value for field "{field}"'
            for branch in kind.context if isinstance(kind, Kind.AnyOf) else ():
                lines = [line for each in _visible(branch) for line in _value_lines(each, wording)]
                yield from [_FAILED, *lines] if wording.as_reference and len(lines) > 1 else lines


def _type_line(error: ValidationError, field: str, wording: Wording) -> str:
    if error.instance is None and field:
        return f'required field "{field}" is missing'
    place = f' for field "{field}"' if field else ""
    found = f"invalid type{place}: {_got_and_want(error)}"
    is_several = field == WATCH_NAMESPACE and found.endswith("got array, want string")
    return f"{found}: {SEVERAL_NAMESPACES}" if is_several and not wording.as_reference else found


def _format_text(error: ValidationError, install_namespace: str) -> str:
    value, name = error.instance, error.kind.value
    text = f"'{value}' is not valid {name}: invalid value \"{value}\": must be"
    if name == OWN_FORMAT:
        return (
            f'{text} "{install_namespace}" (the namespace where the operator is installed) because this operator only '
            "supports OwnNamespace install mode"
        )
    return (
        f'{text} different from "{install_namespace}" (the install namespace) because this operator uses '
        "SingleNamespace install mode to watch a different namespace"
    )


def _reason(error: ValidationError) -> str:
    """`deploymentConfig.env[0].name: required`."""
    if isinstance(error.kind, Kind.Required):
        return f"{_indexed((*_path(error), error.kind.property))}: required"
    return f"{_indexed(_path(error))}: {_got_and_want(error)}"


def _got_and_want(error: ValidationError) -> str:
    wanted = error.kind.value
    got = json_kind(error.instance).replace("bool", "boolean")
    return f"got {got}, want {wanted if isinstance(wanted, str) else ' or '.join(sorted(wanted))}"


def _path(error: ValidationError) -> _Path:
    return tuple(error.instance_path)


def _dotted(path: Iterable[Any]) -> str:
    return ".".join(str(part) for part in path)


def _indexed(path: Iterable[Any]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
