"""The example tables of the specification, asked on the command line: one catalog, `--installed` as a version."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from olmv1.fbc import Package
from tests.olm_command import Said, olm, write_catalog
from tests.packages import PACKAGE, a_package

_FILES = sorted((Path(__file__).parents[3] / "cases" / "resolver").glob("c*.yaml"))


def _cases() -> list[Any]:
    found = []
    for path in _FILES:
        table = yaml.safe_load(path.read_text())
        for case in table["cases"]:
            asked = {"catalogs": table["catalogs"], **case}
            if len(asked["catalogs"]) == 1 and "hold_major" not in case:
                found.append(pytest.param(asked, id=f"{path.stem}: {case['id']}"))
    return found


def _blobs(package: Package) -> list[dict[str, Any]]:
    plain = json.loads(msgspec.json.encode(package))
    return [
        *({"schema": "olm.channel", **channel} for channel in plain["channels"]),
        *({"schema": "olm.bundle", **bundle} for bundle in plain["bundles"]),
    ]


def _shown(said: Said, case: Mapping[str, Any], expected: str) -> str:
    if said.code:
        return str(said.json["error"])
    is_stay = expected == "stays" and said.json["bundle"] == f"{PACKAGE}.v{case['installed']}"
    return "stays" if is_stay else str(said.json["version"])


@pytest.mark.parametrize("case", _cases())
def test_resolve_answers_as_the_table_says(case: Mapping[str, Any], tmp_path: Path) -> None:
    [content] = case["catalogs"].values()
    path = write_catalog(tmp_path / "cat", *_blobs(a_package(content["bundles"], content.get("channels"))))
    options = [f"--{name}={case[name]}" for name in ("version", "policy", "installed") if name in case]
    options += [f"--channel={name}" for name in case.get("channels", ())]
    said = olm("resolve", "-p", PACKAGE, "--catalog", path, "-o", "json", *options)
    expected = case.get("ours", case["result"])
    assert _shown(said, case, expected) == expected
