"""The annotation that accepts single findings: ids of findings between blanks, line ends or commas."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from olmv1.api.names import EXTRAS_PREFIX
from olmv1.errors import TerminalError
from operator_controller.crd_safety.checks import (
    FIELD_NAMES,
    FIELD_REMOVAL,
    PRUNING,
    SCOPE,
    SERVED_VERSION_REMOVAL,
    STORED_VERSION_REMOVAL,
)
from operator_controller.crd_safety.compare import STORED_OBJECTS
from operator_controller.crd_safety.findings import Finding

__all__ = ["ANNOTATION_CRD_ACCEPT", "AcceptError", "Accepted", "accepted_of", "REMOVAL"]

ANNOTATION_CRD_ACCEPT = f"{EXTRAS_PREFIX}crd-accept"
REMOVAL = "definitionRemoval"

# Which parts follow the name of the definition and the check.
_ALONE = frozenset({SCOPE, PRUNING, REMOVAL})
_WITH_VERSION = frozenset({STORED_VERSION_REMOVAL, SERVED_VERSION_REMOVAL})
_WITH_PATH = frozenset({*FIELD_NAMES, FIELD_REMOVAL, STORED_OBJECTS})
_KNOWN = sorted(_ALONE | _WITH_VERSION | _WITH_PATH)
_FORM = "expected CRD:CHECK:VERSION:PATH as reported, such as lamps.example.com:minimum:v1:^.spec.size"
_MAX_SHOWN = 100


class AcceptError(TerminalError):
    """What should be accepted cannot be read; the message names every wrong entry."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """Ids of accepted findings."""

    ids: frozenset[str] = frozenset()

    def covers(self, finding: Finding) -> bool:
        """Whether the finding, or the removed field that explains it, is accepted."""
        return finding.id in self.ids or finding.cause in self.ids

    def unused(self, findings: Iterable[Finding], crds: Iterable[str]) -> tuple[str, ...]:
        """The entries for definitions in `crds` that accept none of the findings, sorted."""
        names = set(crds)
        used = {name for each in findings for name in (each.id, each.cause)}
        return tuple(sorted(each for each in self.ids - used if each.partition(":")[0] in names))


def accepted_of(text: str, *, where: str = f'annotation "{ANNOTATION_CRD_ACCEPT}"') -> Accepted:
    """The entries of the annotation, of which `where` tells in messages where they are written.

    Raises: AcceptError.
    """
    entries = [each for each in re.split(r"[\s,]+", text) if each]
    problems = [f'"{each[:_MAX_SHOWN]}": {problem}' for each in entries for problem in _problems(each)]
    if problems:
        raise AcceptError(f"{where}: {'; '.join(problems)}")
    return Accepted(frozenset(entries))


def _problems(entry: str) -> Iterator[str]:
    crd, check, version, path = [*entry.split(":", 3), "", "", ""][:4]
    if "." not in crd or not check:
        yield _FORM
    elif check not in _KNOWN:
        yield f'there is no check "{check[:_MAX_SHOWN]}": expected one of {", ".join(_KNOWN)}'
    elif check in _ALONE:
        if version or path:
            yield f"{check} has no version and no path: expected {crd}:{check}"
    elif check in _WITH_VERSION:
        if not version or path:
            yield f"{check} has the versions that are gone and no path: expected {crd}:{check}:v1alpha1+v1alpha2"
    elif path != "^" and not path.startswith(("^.", "^[")):
        yield f"{check} has a version and a path: expected {crd}:{check}:v1:^.spec.size"
