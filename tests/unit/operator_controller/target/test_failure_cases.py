"""The table of failures of the specification: what is applied when nothing can be resolved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from olmv1.errors import RetryableError, TerminalError
from operator_controller.catalogs.counting import counts
from operator_controller.outcome.extension import ExtensionOutcome
from operator_controller.resolver import CatalogProblem, InstalledBundle, Request, resolve
from operator_controller.target import target_of
from tests.builders import a_view

_TABLE = yaml.safe_load(
    (Path(__file__).parents[3] / "cases" / "target" / "f-failure-handling.yaml").read_text(encoding="utf-8")
)
_CASES = [pytest.param(case, id=case["id"]) for case in _TABLE["cases"]]
_CATALOGS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "deleted": (),
    "not serving": ({"metadata": {"name": "a"}, "spec": {}},),
    "unavailable": ({"metadata": {"name": "a"}, "spec": {"availabilityMode": "Unavailable"}},),
}


def _outcome(case: Mapping[str, Any]) -> str:
    installed = case.get("installed")
    seen = ExtensionOutcome(revisions=(a_view(version=installed),) if installed else ())
    recorded = InstalledBundle(f"lantern.v{installed}", installed) if installed else None
    request = Request("lantern", case.get("version"), installed=recorded)
    sick = [CatalogProblem("a", 0, "no route") for catalog in _CATALOGS[case["catalogs"]] if counts(catalog)]
    try:
        target = target_of(request, resolve(request, sick), seen, has_catalogs=bool(sick))
    except TerminalError:
        return "Blocked"
    except RetryableError:
        return "Retrying"
    return target.bundle.version


@pytest.mark.parametrize("case", _CASES)
def test_failure_ends_as_the_table_says(case: Mapping[str, Any]) -> None:
    assert _outcome(case) == case.get("ours", case["result"])


@pytest.mark.parametrize("case", _CASES)
def test_failure_case_gives_a_reason_when_ours_differs(case: Mapping[str, Any]) -> None:
    assert ("ours" in case) == bool(case.get("reason"))
    assert case.get("ours") != case["result"]
