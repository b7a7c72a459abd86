"""Checks of a whole definition: `scope`, `storedVersionRemoval`, `servedVersionRemoval`, `existingFieldRemoval` and
`preserveUnknownFields`. Each yields remarks with the place that they are about. Rule: applying.md 5.2, 10 row 22.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from olmv1.versions.quoting import quoted
from operator_controller.crd_safety.definition import Definition
from operator_controller.crd_safety.findings import Remark, Risk

__all__ = [
    "DEFINITION_CHECKS",
    "FIELD_REMOVAL",
    "PRUNING",
    "Placed",
    "SCOPE",
    "SERVED_VERSION_REMOVAL",
    "STORED_VERSION_REMOVAL",
]

SCOPE = "scope"
STORED_VERSION_REMOVAL = "storedVersionRemoval"
SERVED_VERSION_REMOVAL = "servedVersionRemoval"
FIELD_REMOVAL = "existingFieldRemoval"
PRUNING = "preserveUnknownFields"


@dataclass(frozen=True, slots=True)
class Placed:
    """A remark, with the version and path that it is about; `label` names the versions that are gone."""

    remark: Remark
    version: str = ""
    path: str = ""
    label: str = ""


def check_scope(old: Definition, new: Definition) -> Iterator[Placed]:
    """Objects are elsewhere in the other scope; the API server refuses the change as well."""
    if old.scope != new.scope:
        text = f"scope changed : {quoted(old.scope)} -> {quoted(new.scope)}"
        yield Placed(Remark(SCOPE, text, Risk.BREAKING))


def check_stored_versions(old: Definition, new: Definition) -> Iterator[Placed]:
    """Objects in a version that is gone could not be read any more; the API server refuses the change as well."""
    gone = [name for name in old.stored_versions if new.version(name) is None]
    if gone:
        text = f"stored versions removed : [{' '.join(gone)}]"
        yield Placed(Remark(STORED_VERSION_REMOVAL, text, Risk.BREAKING), label="+".join(gone))


def check_served_versions(old: Definition, new: Definition) -> Iterator[Placed]:
    """Clients of a version that is not served any more fail, whatever is stored."""
    served = {each.name for each in new.versions if each.is_served}
    gone = [each.name for each in old.versions if each.is_served and each.name not in served]
    if gone:
        text = f"served versions removed : [{' '.join(gone)}]"
        yield Placed(Remark(SERVED_VERSION_REMOVAL, text, Risk.BREAKING), label="+".join(gone))


def check_removed_fields(old: Definition, new: Definition) -> Iterator[Placed]:
    """Objects that use the field lose it."""
    for version in old.versions:
        after = new.version(version.name)
        if after is None:
            continue
        for path in sorted(version.nodes.keys() - after.nodes.keys()):
            remark = Remark(FIELD_REMOVAL, f"removed field : {version.name}.{path}", Risk.NEEDS_DATA)
            yield Placed(remark, version.name, path)


def check_pruning(old: Definition, new: Definition) -> Iterator[Placed]:
    """A definition of the time before structural schemas kept every field, which no schema tells."""
    if new.prunes and not old.prunes:
        remark = Remark(PRUNING, "preserveUnknownFields removed : true -> false", Risk.NEEDS_DATA)
        yield Placed(remark)


DEFINITION_CHECKS: tuple[Callable[[Definition, Definition], Iterator[Placed]], ...] = (
    check_scope,
    check_stored_versions,
    check_served_versions,
    check_removed_fields,
    check_pruning,
)
