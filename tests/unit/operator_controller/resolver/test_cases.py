"""The example tables of the specification, and where we differ from the reference on purpose."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from operator_controller.resolver import CatalogContent, CatalogProblem, Chosen, Request, Unresolved, resolve
from tests.packages import PACKAGE, a_bundle, a_catalog, a_name, a_package, an_installed

_FILES = sorted((Path(__file__).parents[3] / "cases" / "resolver").glob("*.yaml"))


def _cases() -> list[Any]:
    found = []
    for path in _FILES:
        table = yaml.safe_load(path.read_text())
        for case in table["cases"]:
            asked = {"catalogs": table["catalogs"], **case}
            found.append(pytest.param(asked, id=f"{path.stem}: {case['id']}"))
    return found


def _catalog(name: str, content: Mapping[str, Any]) -> CatalogContent | CatalogProblem:
    priority = content.get("priority", 0)
    if "problem" in content:
        return CatalogProblem(name, priority, content["problem"])
    registry = content.get("registry", "registry.example")
    bundles = [
        a_bundle(
            text,
            version=content.get("versions", {}).get(text),
            image=f"{registry}/p:{text}",
            requires=[content["requires"][text]] if text in content.get("requires", {}) else (),
        )
        for text in content["bundles"]
    ]
    package = a_package(bundles, content.get("channels"), content.get("deprecated", ()))
    return a_catalog(package, name, priority)


def _request(case: Mapping[str, Any]) -> Request:
    installed = None
    if "installed" in case:
        installed = an_installed(
            case["installed"], release=case.get("installed_release"), catalog=case.get("installed_from")
        )
    return Request(
        PACKAGE,
        case.get("version"),
        tuple(case.get("channels", ())),
        case.get("policy", "CatalogProvided"),
        installed,
        hold_major=case.get("hold_major", False),
    )


def _shown(answer: Chosen | Unresolved, case: Mapping[str, Any], expected: str) -> str:
    if isinstance(answer, Unresolved):
        return answer.message
    if answer.is_installed and expected == "stays":
        assert answer.bundle.name == a_name(case["installed"])
        return "stays"
    return f"{answer.version} from {answer.catalog}" if " from " in expected else str(answer.version)


@pytest.mark.parametrize("case", _cases())
def test_resolve_answers_as_the_table_says(case: Mapping[str, Any]) -> None:
    catalogs = [_catalog(name, content) for name, content in case["catalogs"].items()]
    expected = case.get("ours", case["result"])
    assert _shown(resolve(_request(case), catalogs), case, expected) == expected


@pytest.mark.parametrize("case", _cases())
def test_case_gives_a_reason_when_ours_differs(case: Mapping[str, Any]) -> None:
    assert ("ours" in case) == bool(case.get("reason"))
    assert case.get("ours") != case["result"]
