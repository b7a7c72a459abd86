"""The example tables of the specification, and where we differ from the reference on purpose."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from olmv1.fbc import Package
from operator_controller.resolver import CatalogContent, CatalogProblem, Chosen, Request, Unresolved, resolve
from tests.oracle import Asking, Having, OracleCatalog, choose, oracle_catalog, unusable
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


def _package(content: Mapping[str, Any]) -> Package:
    registry = content.get("registry", "registry.example")
    bundles = [
        a_bundle(
            text,
            version=content.get("versions", {}).get(text),
            image=f"{registry}/p:{text}",
            requires=[content["requires"][text]] if text in content.get("requires", {}) else (),
            kubernetes=content.get("kubernetes", {}).get(text),
        )
        for text in content["bundles"]
    ]
    return a_package(bundles, content.get("channels"), content.get("deprecated", ()))


def _catalog(name: str, content: Mapping[str, Any]) -> CatalogContent | CatalogProblem:
    priority = content.get("priority", 0)
    if "problem" in content:
        return CatalogProblem(name, priority, content["problem"])
    return a_catalog(_package(content), name, priority)


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
        kube_version=case.get("kube_version"),
    )


def _oracle(name: str, content: Mapping[str, Any]) -> OracleCatalog:
    priority = content.get("priority", 0)
    if "problem" in content:
        return unusable(name, content["problem"], priority)
    plain = json.loads(msgspec.json.encode(_package(content)))
    gone = [{"reference": {"schema": each["schema"], "name": each["name"]}} for each in plain["deprecations"]]
    blobs = [
        *({"schema": "olm.channel", **channel} for channel in plain["channels"]),
        *({"schema": "olm.bundle", **bundle} for bundle in plain["bundles"]),
        {"schema": "olm.deprecations", "entries": gone},
    ]
    return oracle_catalog(name, blobs, priority)


def _asking(request: Request) -> Asking:
    installed = request.installed
    return Asking(
        request.package,
        request.range_text,
        request.channels,
        request.is_self_certified,
        None if installed is None else Having(installed.name, installed.version, installed.release, installed.catalog),
        request.hold_major,
        request.kube_version,
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
def test_oracle_answers_as_the_table_says(case: Mapping[str, Any]) -> None:
    answer = choose(_asking(_request(case)), [_oracle(name, content) for name, content in case["catalogs"].items()])
    ours = resolve(_request(case), [_catalog(name, content) for name, content in case["catalogs"].items()])
    if isinstance(ours, Unresolved):
        assert answer.error
        assert case.get("ours", case["result"]).startswith(answer.error)
    else:
        assert (answer.catalog, answer.bundle) == (ours.catalog, ours.bundle.name)


@pytest.mark.parametrize("case", _cases())
def test_case_gives_a_reason_when_ours_differs(case: Mapping[str, Any]) -> None:
    assert ("ours" in case) == bool(case.get("reason"))
    assert case.get("ours") != case["result"]
