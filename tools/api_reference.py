"""`python -m tools.api_reference`: writes `docs/api-reference.md` from `config/crd`.

Every field with its type, what holds for it, and its description. A test fails while the page is not what this writes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import yaml

__all__ = ["PAGE", "reference"]

_ROOT: Final = Path(__file__).parents[1]
PAGE: Final = _ROOT / "docs" / "api-reference.md"
"""Where the page is."""

_HEAD: Final = """# API reference

The kinds of `olm.operatorframework.io/v1`, all cluster-scoped. This page is generated from `config/crd` by
`python -m tools.api_reference`; `kubectl explain clusterextension.spec --recursive` says the same of the cluster that
you work with. Annotations that go beyond these fields are in [extras.md](extras.md), what conditions say in
[status.md](status.md), and what to do about it in [troubleshooting.md](troubleshooting.md).

`[]` stands for the entries of a list, `{}` for the values of a map. **required** means: where the field around it is.
"""
_LIMITS: Final = {
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} entries",
    "maxItems": "at most {} entries",
    "minProperties": "at least {} fields",
    "minimum": "at least {}",
    "maximum": "at most {}",
}
_STRICTEST_PATTERN: Final = 60  # what a person can read in a cell of a table


def reference(folder: Path = _ROOT / "config" / "crd") -> str:
    """The page about the CustomResourceDefinitions in `folder`, kinds sorted by name."""
    definitions = [yaml.safe_load(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.yaml"))]
    return "\n".join([_HEAD, *(line for definition in definitions for line in _kind(definition))]) + "\n"


def _kind(definition: Mapping[str, Any]) -> Iterator[str]:
    """The section of one kind: its description, its columns, its fields."""
    spec = definition["spec"]
    version = next(version for version in spec["versions"] if version["storage"])
    schema = version["schema"]["openAPIV3Schema"]
    yield f"## {spec['names']['kind']}\n"
    yield f"{_text(schema)}\n"
    columns = ", ".join(column["name"] for column in version.get("additionalPrinterColumns", ()))
    yield f"`kubectl get {spec['names']['plural']}` shows: {columns}.\n"
    if rules := _rules(schema):
        yield f"Rules: {'; '.join(rules)}.\n"
    for part in ("spec", "status"):
        yield f"### {spec['names']['kind']} {part}\n"
        yield f"{_text(schema['properties'][part])}\n"
        yield "| field | type | |\n| --- | --- | --- |"
        yield from _fields(schema["properties"][part], part)
        yield ""


def _fields(schema: Mapping[str, Any], path: str) -> Iterator[str]:
    """One row for each field below `schema`, each followed by those inside it."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        place = f"{path}.{name}"
        yield f"| `{place}` | {_type(field)} | {_about(field, is_required=name in required)} |"
        inner, suffix = _inside(field)
        yield from _fields(inner, place + suffix)


def _inside(field: Mapping[str, Any]) -> tuple[Mapping[str, Any], str]:
    """The schema whose fields come next, and what its entries add to the path."""
    if items := field.get("items"):
        return items, "[]"
    values = field.get("additionalProperties")
    return (values, "{}") if isinstance(values, Mapping) else (field, "")


def _type(field: Mapping[str, Any]) -> str:
    """`text`, `list of …`, `map of …`; the words of the schema where they are clear."""
    inner, suffix = _inside(field)
    words = {"string": "text", "array": "list", "object": "object"}
    match suffix:
        case "[]":
            return f"list of {_type(inner)}"
        case "{}":
            return f"map of {_type(inner)}"
    if field.get("format") == "date-time":
        return "time"
    kind = str(field.get("type", "anything"))
    return words.get(kind, kind)


def _about(field: Mapping[str, Any], *, is_required: bool) -> str:
    """The last cell of a row: description first, then everything that the API server enforces."""
    facts = list(_facts(field))
    inner, suffix = _inside(field)
    if suffix and not inner.get("properties"):
        facts += [f"each: {fact}" for fact in _facts(inner)]
    marks = ["**required**."] if is_required else []
    return " ".join(
        [_cell(_text(field)), *marks, *(f"{_cell(fact[:1].upper() + fact[1:])}." for fact in facts)]
    ).strip()


def _facts(field: Mapping[str, Any]) -> Iterator[str]:
    if "default" in field:
        yield f"default `{field['default']}`"
    if "enum" in field:
        yield "one of " + ", ".join(f"`{value}`" for value in field["enum"])
    for key, text in _LIMITS.items():
        if key in field:
            yield text.format(field[key])
    if 0 < len(field.get("pattern", "")) <= _STRICTEST_PATTERN:
        yield f"pattern `{field['pattern']}`"
    yield from _rules(field)


def _rules(field: Mapping[str, Any]) -> Sequence[str]:
    """What the rules of the schema say to who breaks them."""
    return [str(rule["message"]).rstrip(".") for rule in field.get("x-kubernetes-validations", ())]


def _text(field: Mapping[str, Any]) -> str:
    return " ".join(str(field.get("description", "")).split())


def _cell(text: str) -> str:
    """Text that does not end its cell, and that Markdown shows as it is."""
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.relative_to(_ROOT)} is written\n")
