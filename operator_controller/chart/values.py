"""Checking values with the values.schema.json of a chart and of every chart inside it.

What a chart sees are the user's values merged with its defaults, conditions, aliases, imports and globals: helm's own
work, which is not repeated here. A chart of nothing but one template per part makes helm print the values that each
part would see (`probe`), and those are checked (`require_valid`), so that every finding is known at once.
Rule: helm-charts.md, "values".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
import orjson

from olmv1.yaml import YamlError, load_all
from operator_controller.bundle.json_values import exact
from operator_controller.chart.errors import ChartError, ValuesError
from operator_controller.chart.model import Chart

__all__ = ["has_schema", "probe", "require_valid"]

_KEPT = frozenset({"Chart.yaml", "values.yaml", "requirements.yaml"})
_TEMPLATE = "templates/values.yaml"
_PREFIX = "invalid ClusterExtension configuration: invalid configuration: "
_SECRET = "the value"  # noqa: S105 - what stands for a value, which may be a secret, in messages


def has_schema(chart: Chart) -> bool:
    """Whether the chart or one inside it says what its values must be."""
    return any(part.schema is not None for _, part in chart.family())


def probe(chart: Chart) -> dict[str, bytes]:
    """The files of a chart that prints, for every part that is switched on, its number, its place and its values."""
    files: dict[str, bytes] = {}
    for number, (path, part) in enumerate(chart.family()):
        files |= {f"{path}{name}": data for name, data in part.files.items() if name in _KEPT}
        text = f'{{{{ dict "part" {number} "place" $.Template.BasePath "values" .Values | toJson }}}}\n'
        files[f"{path}{_TEMPLATE}"] = text.encode()
    return files


def require_valid(chart: Chart, printed: bytes) -> None:
    """Check what the probe of `chart` printed.

    Raises: ValuesError with every finding; ChartError when a schema cannot be used.
    """
    parts = [part for _, part in chart.family()]
    findings: list[str] = []
    for document in _documents(chart, printed):
        part = parts[document["part"]]
        if part.schema is not None:
            findings += _findings(part, _place_of(document["place"]), document["values"] or {})
    if len(findings) == 1:
        raise ValuesError(f"{_PREFIX}{findings[0]}")
    if findings:
        raise ValuesError("\n  - ".join([f"{_PREFIX}multiple errors found:", *sorted(findings)]))


def _documents(chart: Chart, printed: bytes) -> list[Mapping[str, Any]]:
    try:
        return [exact(value) for value in load_all(printed)]
    except (YamlError, ValueError) as error:
        raise ChartError(f'chart "{chart.metadata.name}": its values cannot be read: {error}') from error


def _place_of(base_path: str) -> tuple[str, ...]:
    """`shop/charts/db/templates` → `("db",)`: where the user writes the values of this part."""
    return tuple(base_path.split("/")[2:-1:2])


def _findings(part: Chart, place: tuple[str, ...], values: Mapping[str, Any]) -> Iterator[str]:
    try:
        schema = orjson.loads((part.schema or b"").removeprefix(b"\xef\xbb\xbf"))
        validator = jsonschema_rs.validator_for(schema, mask=_SECRET, offline=True)
    except (ValueError, jsonschema_rs.ReferencingError) as error:
        raise ChartError(f'values.schema.json of chart "{part.metadata.name}" cannot be used: {error}') from error
    for finding in validator.iter_errors(values):
        field = _dotted((*place, *finding.instance_path))
        yield f"{f'field {json.dumps(field)}' if field else 'the values'}: {_reason(finding)}"


def _reason(finding: jsonschema_rs.ValidationError) -> str:
    """What is wrong without what was written: it may be a secret."""
    lines = str(finding.message).splitlines()
    return lines[0] if lines else "not allowed"


def _dotted(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
