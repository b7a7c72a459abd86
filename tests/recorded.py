"""What the reference rendered from the real bundles of the test data, case by case."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from operator_controller.bundle import Bundle, parse_bundle
from operator_controller.renderer import Certificates, Gates, RenderOptions
from tests.bundles import files_of
from tests.data import data_dir

__all__ = ["NAMESPACE", "Case", "recorded_cases"]

NAMESPACE = "target-ns"


@dataclass(frozen=True, slots=True)
class Case:
    """One recorded rendering: the bundle, the request and the answer.

    `answer` is the list of objects, or the error with whether it is terminal.
    """

    bundle: str
    name: str
    folder: Path
    request: dict[str, Any]
    answer: Any

    def parsed(self, *, as_reference: bool) -> Bundle:
        """The bundle as it is loaded; once per process."""
        return _parsed(self.folder, as_reference=as_reference)

    def options(self, *, as_reference: bool) -> RenderOptions:
        """The request in our words."""
        is_open = self.request.get("gates") != "default"
        return RenderOptions(
            NAMESPACE,
            self.request.get("config"),
            Gates(single_own_namespace=is_open, deployment_config=is_open),
            as_reference=as_reference,
            certificates=Certificates(self.request["certs"]),
        )

    def __str__(self) -> str:
        return f"{self.bundle} {self.name}"


def recorded_cases() -> Iterator[Case]:
    """Every case of every bundle."""
    for path in sorted(data_dir("bundles").glob("*/*/expected.json")):
        recorded = json.loads(path.read_bytes())
        for name, case in recorded["cases"].items():
            objects = [recorded["objects"][key] for key in case.get("objects", ())]
            answer = (case["error"], case.get("terminal", False)) if "error" in case else objects
            yield Case(recorded["bundle"], name, path.parent, case["request"], answer)


@cache
def _parsed(folder: Path, *, as_reference: bool) -> Bundle:
    return parse_bundle(files_of(folder), as_reference=as_reference)
