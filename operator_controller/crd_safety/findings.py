"""What a comparison finds: a change of a definition, what it risks, and how it is named and printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum

__all__ = ["Finding", "Remark", "Risk", "Stage", "finding_id"]


class Risk(StrEnum):
    """What a change can do to objects that are stored already."""

    SAFE = "safe"
    """No stored object can lose data or become invalid."""
    NEEDS_DATA = "needs data"
    """It depends on the stored objects."""
    BREAKING = "breaking"
    """It breaks users of the API, whatever is stored."""


class Stage(IntEnum):
    """Which pass found it. Rule: applying.md 5.3."""

    DEFINITION = 0
    SAME_VERSION = 1
    SERVED_VERSIONS = 2


@dataclass(frozen=True, slots=True)
class Remark:
    """What one check says about one place.

    `is_decidable`: whether looking at stored objects can answer a `NEEDS_DATA`; CEL rules, for one, are not run here.
    """

    check: str
    text: str
    risk: Risk
    is_decidable: bool = True


@dataclass(frozen=True, slots=True)
class Finding:
    """One change. `version` is `v1`, `v1alpha1 -> v1`, or empty; `path` is empty when it is about no single field.

    `place` is the path of the values that it speaks about. `cause` is the id of the removed field that explains it.
    `label`: what tells findings of one check about the whole definition apart, in the id.
    """

    crd: str
    stage: Stage
    version: str
    path: str
    place: str
    remark: Remark
    cause: str = ""
    label: str = ""

    @property
    def check(self) -> str:
        """The check that found it."""
        return self.remark.check

    @property
    def risk(self) -> Risk:
        """What it risks."""
        return self.remark.risk

    @property
    def id(self) -> str:
        """What accepts it: `lamps.example.com:minimum:v1:^.spec.size`; without blanks and commas."""
        return finding_id(self.crd, self.check, self.label or self.version, self.path)

    @property
    def target(self) -> str:
        """The version whose schema counts for stored objects; empty for all."""
        return self.version.rpartition(" -> ")[2]

    @property
    def line(self) -> str:
        """How it is printed. Rule: applying.md 5.3."""
        if self.stage is Stage.DEFINITION:
            return f"{self.check}: {self.remark.text}"
        return f"{self.version}: {self.path}: {self.check}: {self.remark.text}"

    @property
    def order(self) -> tuple[str, Stage, str, str, str, str]:
        """Where it stands among all: CRD, pass, version, path, check. Rule: applying.md 10, row 20."""
        return self.crd, self.stage, self.version, self.path, self.check, self.remark.text


def finding_id(crd: str, check: str, version: str, path: str) -> str:
    """The parts that are there, with colons between them; blanks, commas and `%` as `%20`, `%2C`, `%25`."""
    parts = [crd, check, version.replace(" -> ", "->"), path]
    while parts and not parts[-1]:
        parts.pop()
    return ":".join(re.sub(r"[\s,%]", _encoded, each) for each in parts)


def _encoded(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())
