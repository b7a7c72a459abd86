"""Whether a value fits a structural schema, with findings by the paths of that schema.

OpenAPI v3 as CustomResourceDefinitions have it is turned into a JSON schema. Rules in CEL and most formats are not
looked at; a pattern that cannot be used is remembered as undecided. Expressions run in linear time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import jsonschema_rs

from operator_controller.crd_safety.checks import DECIDED_FORMATS
from operator_controller.crd_safety.pruning import Place
from operator_controller.crd_safety.schemas import ROOT, Schema, child_of, place_of

__all__ = ["Fault", "Validity"]

_PATTERNS = jsonschema_rs.RegexOptions(size_limit=1 << 20, dfa_size_limit=1 << 20)
_MAX_PATTERNS = 2000
"""In one schema; each takes up to 1 MiB."""
_MAX_FAULTS = 100
"""Of one object: what follows says nothing new."""
_KEPT = frozenset(
    {
        "exclusiveMaximum",
        "exclusiveMinimum",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "multipleOf",
        "uniqueItems",
    }
)
_LISTS = ("allOf", "anyOf", "oneOf")
_TOLD_BY_TEXT = frozenset({"", "required"})


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a value: `path` is the schema's, `text` holds no part of the value.

    `rule` is the keyword of the schema; another bound of the same rule is another text.
    """

    path: str
    place: Place
    text: str
    rule: str = ""

    @property
    def identity(self) -> tuple[Place, str, str]:
        """What makes it the same as a fault under another schema: a value that is missing has no place of its own."""
        return self.place, self.rule, self.text if self.rule in _TOLD_BY_TEXT else ""


class Validity:
    """One schema, ready to be asked. `undecided`: paths with a pattern that cannot be used here.

    Raises: ValueError when no validator can be made of it.
    """

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.undecided: set[str] = set()
        self._patterns = 0
        self._validator = jsonschema_rs.Draft4Validator(
            self._converted(schema, ROOT),
            pattern_options=_PATTERNS,
            validate_formats=True,
            mask="the value",
            offline=True,
        )

    def faults(self, value: Any) -> list[Fault]:
        """What is wrong with `value`, at most a hundred things."""
        found = [
            Fault(place_of(self._schema, error.instance_path), tuple(error.instance_path), _reason(error), _rule(error))
            for error in islice(self._validator.iter_errors(value), _MAX_FAULTS)
        ]
        for place in islice(_doubles(self._schema, value, ()), _MAX_FAULTS):
            found.append(Fault(place_of(self._schema, place), place, "has items with the same keys"))
        return found

    def _converted(self, schema: Schema, path: str) -> dict[str, Any]:
        found = {key: item for key, item in schema.items() if key in _KEPT}
        found |= self._kind(schema) | self._members(schema, path)
        for key in _LISTS:
            alternatives = schema.get(key)
            listed = alternatives if isinstance(alternatives, list) else []
            items = [self._converted(item, path) for item in listed if isinstance(item, dict)]
            if items:
                found[key] = items
        if isinstance(schema.get("not"), dict):
            found["not"] = self._converted(schema["not"], path)
        pattern = schema.get("pattern")
        if isinstance(pattern, str) and pattern:
            self._patterns += 1
            if self._patterns <= _MAX_PATTERNS and _is_usable(pattern):
                found["pattern"] = pattern
            else:
                self.undecided.add(path)
        return found

    def _kind(self, schema: Schema) -> dict[str, Any]:
        found: dict[str, Any] = {}
        nothing = ["null"] if schema.get("nullable") is True else []
        if schema.get("x-kubernetes-int-or-string") is True:
            found["type"] = ["integer", "string", *nothing]
        elif isinstance(schema.get("type"), str) and schema["type"]:
            found["type"] = [schema["type"], *nothing]
        if isinstance(schema.get("enum"), list) and schema["enum"]:
            # The API server takes no null where values are listed, not even one that is listed and `nullable`.
            found["enum"] = [item for item in schema["enum"] if item is not None]
        if schema.get("format") in DECIDED_FORMATS:
            found["format"] = schema["format"]
        if schema.get("x-kubernetes-list-type") == "set":
            found["uniqueItems"] = True
        return found

    def _members(self, schema: Schema, path: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        properties = schema.get("properties")
        if isinstance(properties, dict):
            found["properties"] = {
                name: self._converted(item, f"{path}.{name}")
                for name, item in properties.items()
                if isinstance(item, dict)
            }
        for key in ("items", "additionalProperties"):
            if isinstance(schema.get(key), dict):
                found[key] = self._converted(schema[key], f"{path}.{key}")
        if isinstance(schema.get("required"), list) and schema["required"]:
            found["required"] = schema["required"]
        return found


def _is_usable(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft4Validator({"pattern": pattern}, pattern_options=_PATTERNS, offline=True)
    except ValueError:
        return False
    return True


def _rule(error: jsonschema_rs.ValidationError) -> str:
    return next((part for part in reversed(error.schema_path) if isinstance(part, str)), "")


def _reason(error: jsonschema_rs.ValidationError) -> str:
    lines = str(error.message).splitlines()
    return lines[0] if lines else "is not allowed"


def _doubles(schema: Schema, value: Any, place: Place) -> Iterator[Place]:
    """Where lists are whose items must differ in their keys, and do not."""
    if isinstance(value, list):
        names = schema.get("x-kubernetes-list-map-keys")
        if schema.get("x-kubernetes-list-type") == "map" and isinstance(names, list):
            keys = [json.dumps([item.get(name) for name in names]) for item in value if isinstance(item, dict)]
            if len(set(keys)) < len(keys):
                yield place
    members = range(len(value)) if isinstance(value, list) else list(value) if isinstance(value, dict) else ()
    for key in members:
        own = child_of(schema, key)[1]
        if own is not None:
            yield from _doubles(own, value[key], (*place, key))
